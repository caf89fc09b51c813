package dev.nodekeeper.bench.phase;

import dev.nodekeeper.bench.measure.Replica;

/** What a replica uses from now on. */
final class Meter {
  private final Replica replica;
  private final double cpuBefore;
  private final long beganNanos = System.nanoTime();

  Meter(Replica replica) {
    this.replica = replica;
    this.cpuBefore = replica.usage().cpuSeconds();
    replica.forgetPeak();
  }

  double cpuSeconds() {
    return replica.usage().cpuSeconds() - cpuBefore;
  }

  double seconds() {
    return (System.nanoTime() - beganNanos) / 1e9;
  }

  double percentOfACore() {
    return 100 * cpuSeconds() / seconds();
  }

  double peakMib() {
    return replica.usage().peakMib();
  }
}
