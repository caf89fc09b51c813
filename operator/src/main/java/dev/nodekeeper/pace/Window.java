package dev.nodekeeper.pace;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How many requests are under way at once: as many as allowed while the server keeps up, half as
 * many whenever it says that it cannot, and slowly more again.
 */
public final class Window {
  /** Those under way when it said so will be refused as well: that is one refusal, not many. */
  private static final long ONE_REFUSAL_NANOS = Duration.ofMillis(500).toNanos();

  private final int most;
  private final LongSupplier nanos;
  private double size;
  private int inside;
  private long refusedNanos;

  public Window(int most, LongSupplier nanos) {
    this.most = most;
    this.nanos = nanos;
    this.size = most;
    this.refusedNanos = nanos.getAsLong() - ONE_REFUSAL_NANOS;
  }

  public synchronized void enter() throws InterruptedException {
    while (inside >= (int) size) {
      wait();
    }
    inside++;
  }

  public synchronized void leave() {
    inside--;
    notifyAll();
  }

  /** The server took a request. */
  public synchronized void taken() {
    size = Math.min(most, size + 1 / size);
  }

  /** The server has too much to do. */
  public synchronized void refused() {
    long now = nanos.getAsLong();
    if (now - refusedNanos >= ONE_REFUSAL_NANOS) {
      refusedNanos = now;
      size = Math.max(1, size / 2);
    }
  }

  public synchronized int size() {
    return (int) size;
  }
}
