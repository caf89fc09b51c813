package dev.nodekeeper.bench.phase;

import dev.nodekeeper.bench.load.Requests;
import dev.nodekeeper.bench.measure.Replica;
import dev.nodekeeper.bench.measure.Tally;
import dev.nodekeeper.bench.report.Figure;
import dev.nodekeeper.bench.report.Plot;
import dev.nodekeeper.bench.report.Progress;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** A whole life of all nodes at once: edited, deleted, returned. */
final class Storm {
  static final String LIVE = "storm: from the first registration to the last restore";
  static final String RESTORES = "nodekeeper_restores_total";

  private static final String CAPTURES = "nodekeeper_captures_total";
  private static final String UPDATE = "update configmaps";
  private static final String PATCH = "patch nodes";
  private static final double REQUESTS_PER_LIFE = 2.02;
  private static final double PEAK_MIB = 384;
  private static final int POINTS = 500;

  private Storm() {}

  static void run(Session session) {
    int nodes = session.fleet().size();
    var replica = session.main();
    var mark = session.stand().mark();
    var meter = new Meter(replica);
    var edited = Instant.now();
    editAll(session, replica);
    session.vanishAll();
    var returned = Instant.now();
    returnAll(session, replica);
    var tally = session.stand().since(mark);
    var results = session.results();
    double editSeconds = Tally.seconds(edited, tally.times(UPDATE).getLast());
    session.figure(
        "storm.edits_per_s",
        "storm: all edited, edits made and captured per second",
        nodes / editSeconds,
        "/s");
    var restores = tally.times(PATCH);
    session.figure("storm.live_s", LIVE, Tally.seconds(returned, restores.getLast()), "s");
    session.figure(
        "storm.cpu_ms_per_node",
        "storm: our CPU per life (edit, delete, return)",
        1000 * meter.cpuSeconds() / nodes,
        "ms");
    results.add(
        Figure.of("storm.peak_rss_mib", "storm: peak RSS", meter.peakMib(), "MiB")
            .atMost(PEAK_MIB));
    results.add(
        Figure.of(
                "storm.requests_per_life",
                "storm: requests per life",
                (double) tally.work() / nodes,
                "")
            .atMost(REQUESTS_PER_LIFE));
    results.add(
        Figure.of("storm.reads", "storm: reads of single objects", (double) tally.reads(), "")
            .atMost(0));
    results.plot(plot(returned, restores));
  }

  private static void editAll(Session session, Replica replica) {
    var fleet = session.fleet();
    double before = replica.metric(CAPTURES);
    session.all("people edit all", i -> Requests.person(fleet, i, fleet.editForGood(i).body()));
    replica.awaitCount(
        session.plan().patience(),
        CAPTURES,
        before + fleet.size(),
        new Progress("captured", fleet.size()));
  }

  private static void returnAll(Session session, Replica replica) {
    int nodes = session.fleet().size();
    double before = replica.metric(RESTORES);
    session.registerAll();
    replica.awaitCount(
        session.plan().patience(), RESTORES, before + nodes, new Progress("restored", nodes));
  }

  private static Plot plot(Instant began, List<Instant> restores) {
    var points =
        IntStream.range(0, restores.size())
            .mapToObj(i -> new Plot.Point(Tally.seconds(began, restores.get(i)), i + 1))
            .toList();
    return new Plot(
        "storm",
        "Storm: nodes restored",
        "s since the first registration",
        "nodes",
        List.of(new Plot.Series("restored", Plot.Style.LINE, Plot.thinned(points, POINTS))));
  }
}
