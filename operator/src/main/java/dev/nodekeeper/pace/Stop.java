package dev.nodekeeper.pace;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The one signal that everything which waits also listens to. */
public final class Stop {
  private final CountDownLatch latch = new CountDownLatch(1);

  public void signal() {
    latch.countDown();
  }

  public boolean signalled() {
    return latch.getCount() == 0;
  }

  /** Waits that long, or less when told to stop; true when told to stop. */
  public boolean await(Duration duration) {
    try {
      return latch.await(duration.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
