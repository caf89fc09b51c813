package dev.nodekeeper.bench.phase;

import dev.nodekeeper.bench.load.Loader;
import dev.nodekeeper.bench.report.Figure;
import java.time.Duration;

/** Nothing happens but heartbeats. */
final class Idle {
  private static final Duration QUIET = Duration.ofSeconds(3);
  private static final double CPU_PERCENT = 5;
  private static final double RSS_MIB = 256;

  private Idle() {}

  static void run(Session session) {
    var replica = session.main();
    // What an earlier phase left to do is not idleness.
    Loader.pause(QUIET);
    var mark = session.stand().mark();
    var meter = new Meter(replica);
    session.heartbeats("heartbeats", (double) session.plan().duration().toSeconds());
    double percent = meter.percentOfACore();
    var usage = replica.usage();
    var tally = session.stand().since(mark);
    var results = session.results();
    results.add(
        Figure.of("idle.writes", "idle: requests for nodes and records", (double) tally.work(), "")
            .atMost(0));
    session.figure(
        "idle.leases_per_s", "idle: requests for leases", tally.leases() / meter.seconds(), "/s");
    results.add(
        Figure.of("idle.cpu_percent", "idle: our CPU", percent, "% of a core").atMost(CPU_PERCENT));
    results.add(
        Figure.of("idle.rss_mib", "RSS of one replica, steady", usage.rssMib(), "MiB")
            .atMost(RSS_MIB));
    session.figure(
        "idle.jvm_mib",
        "idle: memory the JVM uses (heap with its garbage, code, classes)",
        replica.metric("jvm_memory_used_bytes") / 1048576,
        "MiB");
  }
}
