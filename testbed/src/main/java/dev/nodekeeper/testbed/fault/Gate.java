package dev.nodekeeper.testbed.fault;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Where something on its way waits until a test has done what it must do first. */
public final class Gate {

  private static final Duration HANG = Duration.ofSeconds(60);

  private final CountDownLatch arrived = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);

  /** Returns when the first one stands at the gate; fails when none comes. */
  public Gate awaitArrived() {
    try {
      if (!arrived.await(HANG.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("nothing arrived at the gate within " + HANG);
      }
      return this;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted at the gate", e);
    }
  }

  public boolean hasArrived() {
    return arrived.getCount() == 0;
  }

  /** Lets all pass that wait, and all that come later. */
  public void release() {
    open.countDown();
  }

  void pass() throws InterruptedException {
    arrived.countDown();
    open.await();
  }
}
