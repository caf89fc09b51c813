package dev.nodekeeper.loop;

import java.time.Instant;
import java.time.InstantSource;

/**
 * Starts at the system's time and then only runs: a clock that is set back must not stop timers.
 */
public final class SteadyClock implements InstantSource {
  private final Instant start = Instant.now();
  private final long startNanos = System.nanoTime();

  @Override
  public Instant instant() {
    return start.plusNanos(System.nanoTime() - startNanos);
  }
}
