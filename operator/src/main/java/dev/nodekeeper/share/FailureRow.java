package dev.nodekeeper.share;

import java.time.Duration;
import org.slf4j.Logger;

/** A row of failures, told once when it begins and once when it is over. */
final class FailureRow {
  /** One success among failures ends nothing. */
  private static final long QUIET = Duration.ofSeconds(10).toNanos();

  private final Logger log;
  private boolean failing;
  private long last;

  FailureRow(Logger log) {
    this.log = log;
  }

  void failed(String why, long now) {
    last = now;
    if (!failing) {
      failing = true;
      log.warn("The leases are in trouble, trying again until it works: {}", why);
    }
  }

  void look(long now) {
    if (failing && now - last > QUIET) {
      failing = false;
      log.info("The leases work again");
    }
  }
}
