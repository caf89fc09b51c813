package dev.nodekeeper.core.keep;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * All names, to be looked at again every now and then; a few at a time, because nothing has
 * happened to them, and whoever something happens to meanwhile is not to wait for a hundred
 * thousand.
 */
final class Round {
  private static final int AT_ONCE = 100;

  private final Deque<String> names = new ArrayDeque<>();
  private int left;

  /** What is left of the round before is in this one too. */
  void begin(Collection<String> all) {
    names.clear();
    names.addAll(all);
  }

  /** From here on a few more. */
  void goOn() {
    left = AT_ONCE;
  }

  /** Null when these were enough for now. */
  @Nullable String next() {
    return left-- > 0 ? names.poll() : null;
  }

  boolean isOver() {
    return names.isEmpty();
  }
}
