package dev.nodekeeper.loop;

import dev.nodekeeper.pace.Stop;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Gives memory back that a list needed for a while, or that heartbeats left behind.
 *
 * <p>The Serial collector looks at its old generation only when the heap is full, so a process that
 * needs half of it would still hold all of it.
 */
public final class Thrift implements Runnable {
  private static final Duration LOOK = Duration.ofSeconds(5);

  /** A heap that has grown by less is not worth the pause. */
  private static final double GROWN = 1.1;

  private static final long SMALL = 64 << 20;

  /** Five minutes: what was kept for a while goes without a heap that grows. */
  private static final int LONG_AGO = 60;

  private final LongSupplier heap;
  private final BooleanSupplier idle;
  private final LongSupplier work;
  private final Runnable collect;
  private final Stop stop;
  private long least;
  private int looks;
  private long worked;
  private boolean rested;

  /**
   * @param heap bytes that it takes now
   * @param idle nobody would notice a pause
   * @param work that there ever was: between two pieces of a steady stream nobody is idle
   */
  public Thrift(
      LongSupplier heap, BooleanSupplier idle, LongSupplier work, Runnable collect, Stop stop) {
    this.heap = heap;
    this.idle = idle;
    this.work = work;
    this.collect = collect;
    this.stop = stop;
  }

  @Override
  public void run() {
    while (!stop.await(LOOK)) {
      look();
    }
  }

  void look() {
    long before = worked;
    worked = work.getAsLong();
    boolean restedBefore = rested;
    // NB: a start is not idle for its first seconds, although it does nothing but list.
    rested = idle.getAsBoolean();
    boolean calm = worked == before && rested && restedBefore;
    long now = heap.getAsLong();
    looks++;
    boolean due = now > least * GROWN || looks > LONG_AGO;
    if (calm && due && now > SMALL) {
      collect.run();
      least = heap.getAsLong();
      looks = 0;
    }
  }
}
