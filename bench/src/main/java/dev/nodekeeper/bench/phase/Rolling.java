package dev.nodekeeper.bench.phase;

import dev.nodekeeper.bench.load.Loader;
import dev.nodekeeper.bench.load.Requests;
import dev.nodekeeper.bench.measure.Returns;
import dev.nodekeeper.bench.measure.Samples;
import dev.nodekeeper.bench.report.Figure;
import dev.nodekeeper.bench.report.Plot;
import dev.nodekeeper.bench.report.Progress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** 100 nodes a second are deleted and return: how long is each without its labels? */
final class Rolling {
  private static final int PER_SECOND = 100;
  private static final int AWAY_AT_ONCE = 128;
  private static final Duration AWAY = Duration.ofMillis(300);
  private static final double EXTRA_MILLIS = 250;

  private Rolling() {}

  static void run(Session session) {
    var replica = session.main();
    try (var returns = new Returns(session.stand().admin(), session.fleet())) {
      int count =
          (int)
              Math.min(session.fleet().size(), PER_SECOND * session.plan().duration().toSeconds());
      var plain = plainPatches(session, returns, count);
      var meter = new Meter(replica);
      var speed = returnNodes(session, returns, count);
      replica.await(session.plan().patience(), "all restored", () -> returns.restored() >= count);
      var times = returns.times();
      double p99 = times.percentile(0.99);
      session.figure("rolling.nodes", "returns at 100/s: nodes", count, "");
      session.figure(
          "rolling.per_s", "returns at 100/s: that could be made", speed.perSecond(), "/s");
      session.figure(
          "rolling.plain_p50_ms",
          "plain patch at 100/s: sent -> seen, p50",
          plain.percentile(0.5),
          "ms");
      session.figure(
          "rolling.plain_p99_ms",
          "plain patch at 100/s: sent -> seen, p99",
          plain.percentile(0.99),
          "ms");
      session.figure(
          "rolling.restored_p50_ms",
          "returns at 100/s: registered -> restored, p50",
          times.percentile(0.5),
          "ms");
      session.figure(
          "rolling.restored_p99_ms", "returns at 100/s: registered -> restored, p99", p99, "ms");
      session
          .results()
          .add(
              Figure.of(
                      "rolling.extra_p99_ms",
                      "returns at 100/s: p99 beyond that of a plain patch",
                      p99 - plain.percentile(0.99),
                      "ms")
                  .atMost(EXTRA_MILLIS));
      session.figure(
          "rolling.late_p99_ms",
          "returns at 100/s: how late the bench's own watch is, p99",
          returns.lateness().percentile(0.99),
          "ms");
      session.figure(
          "rolling.request_ms",
          "returns at 100/s: our requests, mean",
          meter.requestMillis(),
          "ms");
      session.figure(
          "rolling.lag_ms",
          "returns at 100/s: events wait for the Keeper, mean",
          meter.lagMillis(),
          "ms");
      session.figure(
          "rolling.cpu_percent",
          "returns at 100/s: our CPU",
          meter.percentOfACore(),
          "% of a core");
      session
          .results()
          .plot(
              new Plot(
                  "rolling",
                  "100 returns per second: time until restored",
                  "s",
                  "ms",
                  List.of(
                      Dots.of("registered -> restored", times), Dots.of("plain patch", plain))));
    }
  }

  private static Loader.Speed returnNodes(Session session, Returns returns, int count) {
    var fleet = session.fleet();
    var progress = new Progress("returns at 100/s", count);
    return Loader.paced(
        count,
        PER_SECOND,
        AWAY_AT_ONCE,
        k -> {
          int index = fleet.at(k);
          session.world().send(Requests.vanish(fleet, index));
          Loader.pause(AWAY);
          session.world().send(Requests.register(fleet, index));
          returns.replied(index);
        },
        progress::at);
  }

  /**
   * An annotation that nobody keeps, at the same rate, for as long and beside the same watches: the
   * server has slow times of its own.
   */
  private static Samples plainPatches(Session session, Returns returns, int count) {
    var fleet = session.fleet();
    var plain = new Loader(session.stand().plain());
    Map<String, Long> sent = new ConcurrentHashMap<>();
    var progress = new Progress("plain patches at 100/s", count);
    Loader.paced(
        count,
        PER_SECOND,
        Session.IN_FLIGHT,
        k -> {
          int index = fleet.at(k);
          synchronized (fleet.turn(index)) {
            var text = "rolling-" + k;
            sent.put(text, System.nanoTime());
            plain.send(Requests.plain(fleet, index, text));
          }
        },
        progress::at);
    var samples = new Samples();
    session
        .main()
        .await(
            session.plan().patience(),
            "all plain patches seen",
            () -> sent.keySet().stream().allMatch(text -> returns.seen(text) != 0));
    sent.forEach((text, from) -> samples.add(from, returns.seen(text)));
    return samples;
  }
}
