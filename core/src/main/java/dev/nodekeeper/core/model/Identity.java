package dev.nodekeeper.core.model;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which machine stands behind a node name, as far as it says. Empty text where it does not. Packed,
 * see {@link Texts}.
 */
public final class Identity {
  public static final Identity NONE = new Identity("", "", "");

  private final byte[] texts;

  public Identity(String providerId, String systemUuid, String machineId) {
    this.texts = Texts.pack(providerId, systemUuid, machineId);
  }

  public String providerId() {
    return text(0);
  }

  public String systemUuid() {
    return text(1);
  }

  public String machineId() {
    return text(2);
  }

  private String text(int index) {
    return Objects.requireNonNull(Texts.get(texts, index));
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o == this || (o instanceof Identity other && Arrays.equals(texts, other.texts));
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(texts);
  }

  @Override
  public String toString() {
    return "Identity[providerId=%s, systemUuid=%s, machineId=%s]"
        .formatted(providerId(), systemUuid(), machineId());
  }
}
