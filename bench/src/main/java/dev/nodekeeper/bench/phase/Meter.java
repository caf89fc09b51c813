package dev.nodekeeper.bench.phase;

import dev.nodekeeper.bench.measure.Replica;
import java.util.Map;

/** What a replica uses from now on. */
final class Meter {
  private final Replica replica;
  private final double cpuBefore;
  private final Map<String, Double> metricsBefore;
  private final long beganNanos = System.nanoTime();

  Meter(Replica replica) {
    this.replica = replica;
    this.cpuBefore = replica.usage().cpuSeconds();
    this.metricsBefore = replica.metrics();
    replica.forgetPeak();
  }

  /** As it measures it, waiting for a place included: what the server takes for its requests. */
  double requestMillis() {
    return meanMillis("nodekeeper_request_seconds");
  }

  /** How long events wait for the Keeper. */
  double lagMillis() {
    return meanMillis("nodekeeper_loop_lag_seconds");
  }

  private double meanMillis(String timer) {
    var now = replica.metrics();
    double count = grown(now, timer + "_count");
    return count == 0 ? 0 : 1000 * grown(now, timer + "_sum") / count;
  }

  private double grown(Map<String, Double> now, String metric) {
    return now.getOrDefault(metric, 0.0) - metricsBefore.getOrDefault(metric, 0.0);
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
