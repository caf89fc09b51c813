package dev.nodekeeper.bench.phase;

import dev.nodekeeper.api.Call;
import dev.nodekeeper.bench.load.Pages;
import dev.nodekeeper.bench.measure.Usage;
import dev.nodekeeper.bench.report.Figure;
import dev.nodekeeper.bench.report.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Cold start with all records there: listed, compared, nothing to do. Some times, each right after
 * a bare list; the mean counts.
 */
final class Cold {
  private static final double CPU_SECONDS = 40;
  private static final double WALL_RATIO = 1.3;

  private Cold() {}

  /**
   * A server that collects its garbage just then makes one list twice as long as the next. That
   * falls on theirs or on ours, about once a time: so neither the best nor the middle one is fair.
   */
  private static final int TIMES = 5;

  private record Start(double ready, double acts, Usage usage) {}

  static void run(Session session) {
    session.stopMain();
    double inJson = bareLists(session, Call.JSON);
    List<Double> bare = new ArrayList<>();
    List<Start> starts = new ArrayList<>();
    var progress = new Progress("listed barely, then by a start", TIMES);
    for (int time = 1; time <= TIMES; time++) {
      session.stopMain();
      bare.add(bareLists(session, Call.PROTOBUF));
      starts.add(start(session));
      progress.at(time);
    }
    double lists = mean(bare.stream());
    double cpu = mean(starts.stream().map(start -> start.usage().cpuSeconds()));
    session.results().fact("bare lists, s", each(bare.stream()));
    session.results().fact("starts with records, s", each(starts.stream().map(Start::acts)));
    session.figure(
        "plain.lists_s",
        "bare paged list of records and nodes, same client, nodes in protobuf as we ask for them",
        lists,
        "s");
    session.figure("plain.lists_json_s", "the same, all in JSON", inJson, "s");
    session.figure(
        "cold.ready_s",
        "start with records: until ready",
        mean(starts.stream().map(Start::ready)),
        "s");
    var results = session.results();
    results.add(
        Figure.of(
                "cold.compared_s",
                "start with records: until all is compared and it acts, from the start of the JVM",
                mean(starts.stream().map(Start::acts)),
                "s")
            .per(lists)
            .ratioAtMost(WALL_RATIO));
    results.add(
        Figure.of("cold.cpu_s", "start with records: our CPU", cpu, "s").atMost(CPU_SECONDS));
    session.figure(
        "cold.cpu_ms_per_node",
        "start with records: our CPU per node",
        1000 * cpu / session.fleet().size(),
        "ms");
    session.figure(
        "cold.peak_rss_mib",
        "start with records: peak RSS",
        starts.stream().mapToDouble(start -> start.usage().peakMib()).max().orElseThrow(),
        "MiB");
  }

  private static Start start(Session session) {
    var replica = session.startMain();
    replica.awaitReady(session.plan().patience());
    double ready = replica.secondsSinceStart();
    session.awaitActs(replica);
    return new Start(ready, replica.secondsSinceStart(), replica.usage());
  }

  private static double mean(Stream<Double> values) {
    return values.mapToDouble(value -> value).average().orElseThrow();
  }

  private static String each(Stream<Double> values) {
    return values.map("%.1f"::formatted).collect(Collectors.joining(" "));
  }

  private static double bareLists(Session session, String nodes) {
    long began = System.nanoTime();
    Pages.bytes(session.stand().plain(), Stand.RECORDS, Call.JSON);
    Pages.bytes(session.stand().plain(), Stand.NODES, nodes);
    return (System.nanoTime() - began) / 1e9;
  }
}
