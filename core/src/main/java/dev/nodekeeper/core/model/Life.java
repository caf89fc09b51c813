package dev.nodekeeper.core.model;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An incarnation as it is marked: its uid, and our two annotations. Packed, see {@link Texts}. */
public final class Life {
  private static final int UID = 0;
  private static final int MARKER = 1;
  private static final int WITHHELD = 2;

  private final byte[] texts;

  public Life(String uid, @Nullable String marker, @Nullable String withheld) {
    this.texts = Texts.pack(uid, marker, withheld);
  }

  public String uid() {
    return Objects.requireNonNull(Texts.get(texts, UID));
  }

  public @Nullable String marker() {
    return Texts.get(texts, MARKER);
  }

  public @Nullable String withheld() {
    return Texts.get(texts, WITHHELD);
  }

  public boolean isMarked() {
    return Texts.has(texts, MARKER);
  }

  /** The same incarnation, however it is marked. */
  public boolean isOf(Life other) {
    return this == other || Texts.sameFirst(texts, other.texts);
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o == this || (o instanceof Life other && Arrays.equals(texts, other.texts));
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(texts);
  }

  @Override
  public String toString() {
    return "Life[uid=%s, marker=%s, withheld=%s]".formatted(uid(), marker(), withheld());
  }
}
