package dev.nodekeeper.pace;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Requests per second, with a burst, and a pause when the server asks for one. */
public final class TokenBucket {
  private final long interval;
  private final long credit;
  private final LongSupplier nanos;

  /**
   * When the next request would be due if they came evenly; may lie up to the credit behind now.
   */
  private long next;

  public TokenBucket(int perSecond, int burst, LongSupplier nanos) {
    this.interval = Duration.ofSeconds(1).toNanos() / perSecond;
    this.credit = interval * Math.max(0, burst - 1);
    this.nanos = nanos;
    this.next = nanos.getAsLong() - credit;
  }

  /** Takes a place and says how long to wait for it. */
  public synchronized Duration reserve() {
    long now = nanos.getAsLong();
    if (now - next > credit) {
      next = now - credit;
    }
    long wait = next - now;
    next += interval;
    return wait <= 0 ? Duration.ZERO : Duration.ofNanos(wait);
  }

  /** Takes a place only if there is one without waiting. */
  public synchronized boolean take() {
    return next - nanos.getAsLong() <= 0 && reserve().isZero();
  }

  /** Nobody gets a place before this has passed. */
  public synchronized void pause(Duration duration) {
    long until = nanos.getAsLong() + duration.toNanos();
    if (until - next > 0) {
      next = until;
    }
  }
}
