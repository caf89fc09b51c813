package dev.nodekeeper.bench.phase;

import dev.nodekeeper.api.Call;
import dev.nodekeeper.bench.load.Pages;
import dev.nodekeeper.bench.report.Figure;

/** Cold start with all records there: listed, compared, nothing to do. */
final class Cold {
  private static final double CPU_SECONDS = 40;
  private static final double WALL_RATIO = 1.3;

  private Cold() {}

  static void run(Session session) {
    session.stopMain();
    double inJson = bareLists(session, Call.JSON);
    double bare = bareLists(session, Call.PROTOBUF);
    session.figure(
        "plain.lists_s",
        "bare paged list of records and nodes, same client, nodes in protobuf as we ask for them",
        bare,
        "s");
    session.figure("plain.lists_json_s", "the same, all in JSON", inJson, "s");
    var replica = session.startMain();
    replica.awaitReady(session.plan().patience());
    double ready = replica.secondsSinceStart();
    session.awaitActs(replica);
    double acts = replica.secondsSinceStart();
    var usage = replica.usage();
    var results = session.results();
    session.figure("cold.ready_s", "start with records: until ready", ready, "s");
    results.add(
        Figure.of(
                "cold.compared_s",
                "start with records: until all is compared and it acts, from the start of the JVM",
                acts,
                "s")
            .per(bare)
            .ratioAtMost(WALL_RATIO));
    results.add(
        Figure.of("cold.cpu_s", "start with records: our CPU", usage.cpuSeconds(), "s")
            .atMost(CPU_SECONDS));
    session.figure(
        "cold.cpu_ms_per_node",
        "start with records: our CPU per node",
        1000 * usage.cpuSeconds() / session.fleet().size(),
        "ms");
    session.figure("cold.peak_rss_mib", "start with records: peak RSS", usage.peakMib(), "MiB");
  }

  private static double bareLists(Session session, String nodes) {
    long began = System.nanoTime();
    Pages.bytes(session.stand().plain(), Stand.RECORDS, Call.JSON);
    Pages.bytes(session.stand().plain(), Stand.NODES, nodes);
    return (System.nanoTime() - began) / 1e9;
  }
}
