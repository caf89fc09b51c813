package dev.nodekeeper.pace;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Ever longer waits between failures, with jitter so that replicas do not come back together. */
public final class Backoff {
  private final Duration first;
  private final Duration max;
  private final RandomGenerator random;
  private Duration current;

  public Backoff(Duration first, Duration max, RandomGenerator random) {
    this.first = first;
    this.max = max;
    this.random = random;
    this.current = first;
  }

  /** Between half and all of the current step; the step doubles up to the maximum. */
  public Duration next() {
    long nanos = current.toNanos();
    Duration doubled = current.multipliedBy(2);
    current = doubled.compareTo(max) > 0 ? max : doubled;
    return Duration.ofNanos(nanos / 2 + random.nextLong(nanos / 2 + 1));
  }

  public void reset() {
    current = first;
  }
}
