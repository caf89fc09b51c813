package dev.nodekeeper.share;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long things take; all follows from the length of a lease.
 *
 * @param leaseSeconds after which an unchanged lease may be taken by others
 */
public record Terms(int leaseSeconds) {
  public static final Terms DEFAULT = new Terms(8);

  /** Long enough for any request to have reached the server, short enough for a good-bye. */
  static final Duration DRAIN = Duration.ofSeconds(1);

  /** The whole good-bye, whatever the server does. */
  static final Duration LEAVE = Duration.ofSeconds(2);

  /** A busy server is asked again after half to all of this. */
  private static final Duration RETRY = Duration.ofMillis(500);

  public Terms {
    if (leaseSeconds < 1) {
      throw new IllegalArgumentException("a lease of " + leaseSeconds + " s");
    }
  }

  long lease() {
    return Duration.ofSeconds(leaseSeconds).toNanos();
  }

  /** We stop this long after sending, well before others may begin. */
  long valid() {
    return lease() / 4 * 3;
  }

  long renew() {
    return lease() / 4;
  }

  /** Of a request: one that hangs must leave time for the next. */
  Duration timeout() {
    return Duration.ofNanos(lease() / 4);
  }

  /** Of a time in which we heard nothing, no more than this counts against other holders. */
  long unheard() {
    return lease() / 2;
  }

  /** To write what a dead owner could not, before balance may give the shard to somebody else. */
  long inherit() {
    return lease() / 2;
  }

  /** What is left of replicas that have been dead for so long is removed. */
  long forget() {
    return lease() * 10;
  }

  /** Somebody may write any number into a lease: nobody waits longer than this for it. */
  long longest() {
    return lease() * 10;
  }

  /**
   * A renewal counts from when it is seen, so this is what a hand-over takes longer than a lease.
   * Replicas that start together should not ask together.
   */
  long poll(RandomGenerator random) {
    return jitter(lease() / 16, random);
  }

  long retry(RandomGenerator random) {
    return jitter(RETRY.toNanos(), random);
  }

  private static long jitter(long nanos, RandomGenerator random) {
    return nanos / 4 * 3 + random.nextLong(nanos / 4 + 1);
  }
}
