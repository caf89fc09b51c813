package dev.nodekeeper.core.keep;

/** How long to wait before the next try: doubling, capped, spread by name instead of by dice. */
final class Backoff {
  /** News about the object normally arrive sooner than this. */
  static final long NEWS_MILLIS = 1_000;

  /** Our own patch normally shows up in the watch sooner than this. */
  static final long ECHO_MILLIS = 5_000;

  private Backoff() {}

  static long conflict(String name, int times) {
    return doubling(name, 50, 2_000, times);
  }

  static long unknown(String name, int times) {
    return doubling(name, 100, 30_000, times);
  }

  static long refused(String name, int times) {
    return doubling(name, 1_000, 300_000, times);
  }

  static long restores(String name, int times) {
    return doubling(name, 300_000, 86_400_000, times);
  }

  private static long doubling(String name, long first, long cap, int times) {
    long wait = Math.min(cap, first << Math.min(times, 20));
    return wait - wait * Math.floorMod(name.hashCode(), 25) / 100;
  }
}
