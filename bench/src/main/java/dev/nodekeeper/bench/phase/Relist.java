package dev.nodekeeper.bench.phase;

import dev.nodekeeper.bench.report.Progress;

/**
 * The API server starts anew and no longer knows where our watches were: a process that has run for
 * a while lists and compares everything again. What a node costs without what a JVM costs.
 */
final class Relist {
  /** The last time counts: by then all that is done for each node is compiled. */
  private static final int TIMES = 3;

  private static final String LISTS = "nodekeeper_relists_total";

  private Relist() {}

  static void run(Session session) {
    var replica = session.main();
    int nodes = session.fleet().size();
    var progress = new Progress("all listed again", TIMES);
    for (int time = 1; time <= TIMES; time++) {
      double lists = replica.metric(LISTS);
      var meter = new Meter(replica);
      session.stand().forgetWatches();
      replica.awaitMetrics(
          session.plan().patience(), "lists again", () -> replica.metric(LISTS) >= lists + 2);
      session.awaitActs(replica);
      progress.at(time);
      if (time == TIMES) {
        session.figure(
            "relist.seconds",
            "the API server killed and started anew: until a warm process has listed all, compared, and acts",
            meter.seconds(),
            "s");
        session.figure(
            "relist.cpu_ms_per_node",
            "the same: our CPU per node",
            1000 * meter.cpuSeconds() / nodes,
            "ms");
        session.figure("relist.peak_rss_mib", "the same: peak RSS", meter.peakMib(), "MiB");
      }
    }
  }
}
