package dev.nodekeeper.bench.phase;

import dev.nodekeeper.bench.load.Loader;
import dev.nodekeeper.bench.load.Requests;
import dev.nodekeeper.bench.measure.WatchReader;
import dev.nodekeeper.bench.report.Figure;
import dev.nodekeeper.bench.report.Progress;

/**
 * All nodes return while we are away; then we start. So the server has nothing else to do than our
 * restores, as it had nothing else to do than the plain patches just before.
 */
final class Outage {
  private static final String PATCH = "patch nodes";
  private static final double RESTORE_RATIO = 0.9;

  private Outage() {}

  static void run(Session session) {
    session.main();
    session.stopMain();
    int nodes = session.fleet().size();
    double patches = plainPatches(session);
    session.figure(
        "plain.patches_per_s", "plain node patches per second, one bare watcher", patches, "/s");
    session.vanishAll();
    double registrations = plainRegistrations(session);
    session.figure(
        "plain.registrations_per_s",
        "registrations per second without us, one bare watcher",
        registrations,
        "/s");
    var results = session.results();
    if (results.has("storm.live_s")) {
      double alone = nodes / registrations + nodes / patches;
      results.add(
          Figure.of(
                  "storm.live_s",
                  Storm.LIVE + " (ratio: to as many plain registrations, then patches)",
                  results.value("storm.live_s"),
                  "s")
              .per(alone));
    }

    var mark = session.stand().mark();
    var replica = session.startMain();
    replica.awaitReady(session.plan().patience());
    replica.awaitCount(
        session.plan().patience(), Storm.RESTORES, nodes, new Progress("restored", nodes));
    var usage = replica.usage();
    var tally = session.stand().since(mark);
    double seconds = replica.secondsUntil(tally.times(PATCH).getLast());
    results.add(
        Figure.of(
                "storm.restores_per_s",
                "storm: restores per second of nodes that returned while we were away",
                tally.perSecond(PATCH),
                "/s")
            .per(patches)
            .ratioAtLeast(RESTORE_RATIO));
    session.figure("outage.seconds", "from our start until all those are restored", seconds, "s");
    session.figure(
        "outage.cpu_ms_per_node",
        "our CPU per node for that, the start included",
        1000 * usage.cpuSeconds() / nodes,
        "ms");
    session.figure("outage.peak_rss_mib", "peak RSS meanwhile", usage.peakMib(), "MiB");
  }

  /** The same content once more; only an annotation that nobody keeps is new. */
  private static double plainPatches(Session session) {
    var fleet = session.fleet();
    var plain = new Loader(session.stand().plain());
    try (var watch = WatchReader.bare(session.stand().plain(), Stand.NODES)) {
      var speed =
          session.all(
              "plain patches",
              plain,
              fleet.size(),
              i -> Requests.person(fleet, i, fleet.everything(i, 1)));
      watch.demandOpen();
      return speed.warmPerSecond();
    }
  }

  private static double plainRegistrations(Session session) {
    try (var watch = WatchReader.bare(session.stand().plain(), Stand.NODES)) {
      var speed = session.registerAll();
      watch.demandOpen();
      return speed.warmPerSecond();
    }
  }
}
