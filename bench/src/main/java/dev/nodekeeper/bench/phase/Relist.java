package dev.nodekeeper.bench.phase;

import dev.nodekeeper.bench.measure.Replica;
import dev.nodekeeper.bench.report.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The API server starts anew and no longer knows where our watches were: a process that has run for
 * a while lists and compares everything again. What a node costs without what a JVM costs.
 */
final class Relist {
  /** The first ones compile what is done for each node. */
  private static final int WARM_UP = 2;

  /** The middle one counts: a compiler's thread may still be at it. */
  private static final int COUNTED = 3;

  private static final String LISTS = "nodekeeper_relists_total";

  private Relist() {}

  private record Time(double seconds, double cpuMillis, double peakMib) {}

  static void run(Session session) {
    var replica = session.main();
    var progress = new Progress("all listed again", WARM_UP + COUNTED);
    List<Time> times = new ArrayList<>();
    for (int time = 1; time <= WARM_UP + COUNTED; time++) {
      times.add(once(session, replica));
      progress.at(time);
    }
    var counted = times.subList(WARM_UP, times.size());
    session
        .results()
        .fact(
            "listed again, CPU per node each time, ms",
            times.stream()
                .map(time -> "%.4f".formatted(time.cpuMillis()))
                .collect(Collectors.joining(" ")));
    session.figure(
        "relist.seconds",
        "the API server killed and started anew: until a warm process has listed all, compared, and acts",
        middle(counted, Time::seconds),
        "s");
    session.figure(
        "relist.cpu_ms_per_node",
        "the same: our CPU per node",
        middle(counted, Time::cpuMillis),
        "ms");
    session.figure(
        "relist.peak_rss_mib",
        "the same: peak RSS",
        times.stream().mapToDouble(Time::peakMib).max().orElseThrow(),
        "MiB");
  }

  private static Time once(Session session, Replica replica) {
    double lists = replica.metric(LISTS);
    var meter = new Meter(replica);
    session.stand().forgetWatches();
    replica.awaitMetrics(
        session.plan().patience(), "lists again", () -> replica.metric(LISTS) >= lists + 2);
    session.awaitActs(replica);
    return new Time(
        meter.seconds(), 1000 * meter.cpuSeconds() / session.fleet().size(), meter.peakMib());
  }

  private static double middle(List<Time> times, ToDoubleFunction<Time> figure) {
    return times.stream().mapToDouble(figure).sorted().toArray()[times.size() / 2];
  }
}
