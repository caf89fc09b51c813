package dev.nodekeeper.testbed.binaries;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Repeats a message with the elapsed seconds while something slow runs, so a person sees life. */
final class Heartbeat implements AutoCloseable {

  static final Duration EVERY = Duration.ofSeconds(10);

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());

  Heartbeat(String message, Consumer<String> progress, Duration every) {
    var start = System.nanoTime();
    progress.accept(message + " ...");
    timer.scheduleAtFixedRate(
        () -> progress.accept(message + " ... " + secondsSince(start) + " s"),
        every.toNanos(),
        every.toNanos(),
        TimeUnit.NANOSECONDS);
  }

  private static long secondsSince(long start) {
    return Duration.ofNanos(System.nanoTime() - start).toSeconds();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
