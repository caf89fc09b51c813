package dev.nodekeeper.api;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.function.LongSupplier;

/**
 * The API server's time, to the second: what its replies said last, running on by a steady clock.
 */
final class ServerClock {
  /** Often enough: it is only asked how many days a node was away. */
  private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

  private final LongSupplier nanos;
  private volatile Heard heard = new Heard(0, 0);

  private record Heard(long millis, long atNanos) {}

  ServerClock(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** A Date header; one that cannot be read says nothing. */
  void hear(String date) {
    long now = nanos.getAsLong();
    Heard last = heard;
    if (last.millis() != 0 && now - last.atNanos() < PAUSE_NANOS) {
      return;
    }
    try {
      Instant said = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date));
      heard = new Heard(said.toEpochMilli(), now);
    } catch (DateTimeException e) {
      // Not from an API server; nothing depends on it.
    }
  }

  /** Since the epoch; 0 as long as we were not told. */
  long millis() {
    Heard last = heard;
    return last.millis() == 0
        ? 0
        : last.millis() + Duration.ofNanos(nanos.getAsLong() - last.atNanos()).toMillis();
  }
}
