package dev.nodekeeper.bench.phase;

import dev.nodekeeper.bench.load.Loader;
import dev.nodekeeper.bench.measure.Edits;
import dev.nodekeeper.bench.measure.Replica;
import dev.nodekeeper.bench.report.Figure;
import dev.nodekeeper.bench.report.Plot;
import dev.nodekeeper.bench.report.Progress;
import java.util.List;

/** People relabel: one node in a hundred at once, then 200 a second for a while. */
final class Editing {
  private static final int PER_SECOND = 200;

  private static final double RECORDED_MILLIS = 1000;

  private Editing() {}

  static void run(Session session) {
    var replica = session.main();
    int burst = Math.max(1, session.fleet().size() / 100);
    try (var edits = edits(session)) {
      var progress = new Progress("1 % edited at once", burst);
      Loader.each(burst, k -> edits.send(session.fleet().at(k)), progress::at);
      awaitRecorded(session, replica, edits);
      var times = edits.times();
      session.figure(
          "edits.burst_p50_ms",
          "1 % edited at once: edit -> recorded, p50",
          times.percentile(0.5),
          "ms");
      session.figure(
          "edits.burst_p99_ms",
          "1 % edited at once: edit -> recorded, p99",
          times.percentile(0.99),
          "ms");
    }
    try (var edits = edits(session)) {
      var meter = new Meter(replica);
      int count = (int) (PER_SECOND * session.plan().duration().toSeconds());
      var progress = new Progress("200 edits a second", count);
      var speed =
          Loader.paced(
              count,
              PER_SECOND,
              Session.IN_FLIGHT,
              k -> edits.send(session.fleet().at(k)),
              progress::at);
      session.figure(
          "edits.per_s", "200 edits/s: edits that could be made", speed.perSecond(), "/s");
      awaitRecorded(session, replica, edits);
      var times = edits.times();
      session.figure(
          "edits.sustained_p50_ms",
          "200 edits/s: edit -> recorded, p50",
          times.percentile(0.5),
          "ms");
      session
          .results()
          .add(
              Figure.of(
                      "edits.sustained_p99_ms",
                      "200 edits/s: edit -> recorded, p99",
                      times.percentile(0.99),
                      "ms")
                  .atMost(RECORDED_MILLIS));
      session.figure(
          "edits.request_ms", "200 edits/s: our requests, mean", meter.requestMillis(), "ms");
      session.figure(
          "edits.lag_ms", "200 edits/s: events wait for the Keeper, mean", meter.lagMillis(), "ms");
      session.figure(
          "edits.cpu_percent", "200 edits/s: our CPU", meter.percentOfACore(), "% of a core");
      session.figure("edits.peak_rss_mib", "200 edits/s: peak RSS", meter.peakMib(), "MiB");
      session
          .results()
          .plot(
              new Plot(
                  "edits",
                  "200 edits per second: time until recorded",
                  "s",
                  "ms",
                  List.of(Dots.of("edit -> recorded", times))));
    }
  }

  static Edits edits(Session session) {
    return new Edits(session.stand().admin(), session.fleet(), Stand.RECORDS);
  }

  private static void awaitRecorded(Session session, Replica replica, Edits edits) {
    replica.await(session.plan().patience(), "all recorded", edits::allRecorded);
  }
}
