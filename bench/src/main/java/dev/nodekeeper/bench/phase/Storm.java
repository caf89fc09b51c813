package dev.nodekeeper.bench.phase;

import dev.nodekeeper.bench.load.Requests;
import dev.nodekeeper.bench.measure.Replica;
import dev.nodekeeper.bench.report.Figure;
import dev.nodekeeper.bench.report.Plot;
import dev.nodekeeper.bench.report.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A whole life of all nodes at once: edited, deleted, returned. */
final class Storm {
  static final String LIVE = "storm: from the first registration to the last restore";

  private static final String CAPTURES = "nodekeeper_captures_total";
  private static final String RESTORES = "nodekeeper_restores_total";
  private static final double REQUESTS_PER_LIFE = 2.02;
  private static final double PEAK_MIB = 384;

  private Storm() {}

  static void run(Session session) {
    int nodes = session.fleet().size();
    var replica = session.main();
    var mark = session.stand().mark();
    var meter = new Meter(replica);
    editAll(session, replica);
    session.vanishAll();
    double seconds = returnAll(session, replica);
    var results = session.results();
    session.figure("storm.live_s", LIVE, seconds, "s");
    session.figure(
        "storm.cpu_ms_per_node",
        "storm: our CPU per life (edit, delete, return)",
        1000 * meter.cpuSeconds() / nodes,
        "ms");
    results.add(
        Figure.of("storm.peak_rss_mib", "storm: peak RSS", meter.peakMib(), "MiB")
            .atMost(PEAK_MIB));
    var tally = session.stand().since(mark);
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
  }

  private static void editAll(Session session, Replica replica) {
    var fleet = session.fleet();
    double before = replica.metric(CAPTURES);
    long began = System.nanoTime();
    session.all("people edit all", i -> Requests.person(fleet, i, fleet.editForGood(i).body()));
    awaitCount(session, replica, CAPTURES, before, "captured");
    double seconds = (System.nanoTime() - began) / 1e9;
    session.figure(
        "storm.edits_per_s",
        "storm: all edited, edits made and captured per second",
        fleet.size() / seconds,
        "/s");
  }

  private static double returnAll(Session session, Replica replica) {
    double before = replica.metric(RESTORES);
    List<Plot.Point> restored = new ArrayList<>();
    var over = new CountDownLatch(1);
    long began = System.nanoTime();
    var sampler =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  do {
                    double at = (System.nanoTime() - began) / 1e9;
                    restored.add(new Plot.Point(at, replica.metric(RESTORES) - before));
                  } while (!isOver(over));
                });
    try {
      session.registerAll();
      awaitCount(session, replica, RESTORES, before, "restored");
    } finally {
      over.countDown();
      join(sampler);
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    session
        .results()
        .plot(
            new Plot(
                "storm",
                "Storm: nodes restored",
                "s since the first registration",
                "nodes",
                List.of(new Plot.Series("restored", Plot.Style.LINE, List.copyOf(restored)))));
    return seconds;
  }

  private static boolean isOver(CountDownLatch over) {
    try {
      return over.await(250, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }

  private static void join(Thread sampler) {
    try {
      sampler.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Until the counter has grown by one for every node. */
  static void awaitCount(
      Session session, Replica replica, String metric, double before, String what) {
    int nodes = session.fleet().size();
    var progress = new Progress(what, nodes);
    replica.await(
        session.plan().patience(),
        "all " + what,
        () -> {
          int done = (int) (replica.metric(metric) - before);
          progress.at(done);
          return done >= nodes;
        });
  }
}
