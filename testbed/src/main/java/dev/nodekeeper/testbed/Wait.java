package dev.nodekeeper.testbed;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for a condition of another process, which nobody can signal to us. */
final class Wait {

  private static final Duration POLL = Duration.ofMillis(25);

  private Wait() {}

  /** True as soon as the condition holds, false when the time is up first. */
  static boolean until(Duration limit, BooleanSupplier condition) {
    var deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      pause(POLL);
    }
    return true;
  }

  static void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting", e);
    }
  }
}
