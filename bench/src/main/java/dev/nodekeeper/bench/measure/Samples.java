package dev.nodekeeper.bench.measure;

import java.util.ArrayList;
import java.util.List;

/** Times that something took, each with the moment at which it began. */
public final class Samples {

  /**
   * One of them.
   *
   * @param atSeconds since the first
   */
  public record Sample(double atSeconds, double millis) {}

  private record Raw(long fromNanos, double millis) {}

  private final List<Raw> samples = new ArrayList<>();

  public synchronized void add(long fromNanos, long toNanos) {
    // What is seen before its own reply came in took no time.
    samples.add(new Raw(fromNanos, Math.max(0, toNanos - fromNanos) / 1e6));
  }

  public synchronized int count() {
    return samples.size();
  }

  /** NaN when there are none. */
  public synchronized double percentile(double share) {
    double[] sorted = samples.stream().mapToDouble(Raw::millis).sorted().toArray();
    return sorted.length == 0
        ? Double.NaN
        : sorted[(int) Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  }

  public synchronized List<Sample> list() {
    long first = samples.stream().mapToLong(Raw::fromNanos).min().orElse(0);
    return samples.stream()
        .map(raw -> new Sample((raw.fromNanos() - first) / 1e9, raw.millis()))
        .toList();
  }
}
