package dev.nodekeeper.bench.phase;

import dev.nodekeeper.bench.measure.Launch;
import java.time.Duration;
import java.util.Set;

/**
 * What to run.
 *
 * @param phases besides loading and the first capture, without which there is nothing to measure
 * @param duration of what goes on for a while: sustained edits, idleness, rolling returns
 * @param profiled with flight recordings of the process under test
 */
public record Plan(
    int nodes, Set<Phase> phases, long seed, Duration duration, Launch launch, boolean profiled) {

  /** A long time even for a loaded machine: hit only by something that hangs. */
  public Duration patience() {
    return Duration.ofMinutes(5).plus(Duration.ofMillis(20L * nodes));
  }

  /** Long enough for percentiles, where a phase has nothing to do with the number of nodes. */
  public static Duration usualDuration(int nodes) {
    if (nodes >= 100_000) {
      return Duration.ofMinutes(5);
    }
    return nodes >= 10_000 ? Duration.ofMinutes(1) : Duration.ofSeconds(15);
  }
}
