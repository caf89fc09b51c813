package dev.nodekeeper.bench;

import dev.nodekeeper.bench.report.Figure;
import dev.nodekeeper.bench.report.Plot;
import dev.nodekeeper.bench.report.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The same run for several sizes: what does one more node cost? */
final class Growth {
  /** Figures that are given per node. */
  private static final List<Cost> PER_NODE =
      List.of(
          new Cost("capture.cpu_ms_per_node", "start without records", Jvm.FRESH),
          new Cost("cold.cpu_ms_per_node", "start with records", Jvm.FRESH),
          new Cost("storm.cpu_ms_per_node", "a life in the storm", Jvm.WARM),
          new Cost("outage.cpu_ms_per_node", "start after an outage", Jvm.FRESH),
          new Cost("relist.cpu_ms_per_node", "listed again and compared", Jvm.WARM));

  private static final double FLAT = 0.2;

  /** Below this, what a JVM needs to get warm is most of it. */
  private static final int COUNTS_FROM = 10_000;

  private record Cost(String key, String what, Jvm jvm) {}

  /**
   * A fresh one gets faster while it runs: later nodes are cheaper, and must only not be dearer.
   */
  private enum Jvm {
    FRESH,
    WARM
  }

  private final Map<Integer, Results> runs = new TreeMap<>();

  void add(int nodes, Results results) {
    runs.put(nodes, results);
  }

  Results results() {
    var summary = new Results();
    summary.fact("nodes", runs.keySet().toString());
    var series = new ArrayList<Plot.Series>();
    for (var cost : PER_NODE) {
      var points = points(cost.key());
      series.add(new Plot.Series(cost.what(), Plot.Style.LINE, points));
      perNode(summary, cost, points);
    }
    summary.plot(
        new Plot("cpu", "Our CPU per node over the number of nodes", "nodes", "ms", series));
    var memory = points("idle.rss_mib");
    memory.forEach(
        point ->
            summary.add(
                Figure.of(
                    "rss." + (int) point.x(),
                    "RSS, steady, at %,d nodes".formatted((int) point.x()),
                    point.y(),
                    "MiB")));
    summary.plot(
        new Plot(
            "rss",
            "RSS of one replica over the number of nodes",
            "nodes",
            "MiB",
            List.of(new Plot.Series("steady", Plot.Style.LINE, memory))));
    return summary;
  }

  private List<Plot.Point> points(String key) {
    return runs.entrySet().stream()
        .filter(run -> run.getValue().has(key))
        .map(run -> new Plot.Point(run.getKey(), run.getValue().value(key)))
        .toList();
  }

  /**
   * The cost of one more node between two sizes leaves out what a start costs anyway. It is flat
   * when it differs by at most a fifth from one step to the next.
   */
  private static void perNode(Results summary, Cost cost, List<Plot.Point> points) {
    for (var point : points) {
      summary.add(
          Figure.of(
              cost.key() + "." + (int) point.x(),
              "CPU per node at %,d: %s".formatted((int) point.x(), cost.what()),
              point.y(),
              "ms"));
    }
    double before = Double.NaN;
    for (int i = 1; i < points.size(); i++) {
      var small = points.get(i - 1);
      var large = points.get(i);
      double marginal = (large.x() * large.y() - small.x() * small.y()) / (large.x() - small.x());
      var figure =
          Figure.of(
              cost.key() + ".marginal." + (int) large.x(),
              "one more node, from %,d to %,d: %s"
                  .formatted((int) small.x(), (int) large.x(), cost.what()),
              marginal,
              "ms");
      var beside = Double.isNaN(before) ? figure : figure.per(before);
      boolean counts = i > 1 && points.get(i - 2).x() >= COUNTS_FROM;
      var judged =
          cost.jvm() == Jvm.WARM ? beside.ratioWithin(FLAT) : beside.ratioNotAbove(1 + FLAT);
      summary.add(counts ? judged : beside);
      before = marginal;
    }
  }
}
