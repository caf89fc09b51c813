package dev.nodekeeper.cli.up;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Undoes what was begun unless it is kept: after a failure, and also when a signal ends us in the
 * middle.
 */
final class Rollback implements AutoCloseable {
  private static final int UNWIND_SECONDS = 30;

  private final Thread worker = Thread.currentThread();
  private final CountDownLatch unwound = new CountDownLatch(1);
  private final Runnable undo;
  private final Thread hook = new Thread(this::signalled, "rollback");
  private volatile boolean kept;
  private volatile boolean interrupted;

  Rollback(Runnable undo) {
    this.undo = undo;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  void keep() {
    kept = true;
  }

  boolean interrupted() {
    return interrupted;
  }

  /** The worker must have stopped starting things before they can be ended. */
  private void signalled() {
    if (kept) {
      return;
    }
    interrupted = true;
    worker.interrupt();
    try {
      boolean _ = unwound.await(UNWIND_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!kept) {
      undo.run();
    }
  }

  @Override
  public void close() {
    unwound.countDown();
    if (interrupted) {
      return;
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook has started; it does the rest.
      return;
    }
    if (!kept) {
      undo.run();
    }
  }
}
