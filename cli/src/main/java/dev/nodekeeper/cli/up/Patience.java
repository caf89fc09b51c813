package dev.nodekeeper.cli.up;

import dev.nodekeeper.cli.ProblemException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for something in another process, which nobody can signal to us. */
final class Patience {
  private static final Duration POLL = Duration.ofMillis(25);

  private Patience() {}

  /** The message is made when it is needed: the end of a log is known only then. */
  static void await(Duration limit, Supplier<String> otherwise, BooleanSupplier condition) {
    if (!holds(limit, condition)) {
      throw ProblemException.failed(otherwise.get());
    }
  }

  /** True as soon as the condition holds, false when the time is up first. */
  static boolean holds(Duration limit, BooleanSupplier condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      try {
        Thread.sleep(POLL);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw ProblemException.failed("interrupted");
      }
    }
    return true;
  }
}
