package dev.nodekeeper.bench;

import dev.nodekeeper.bench.phase.Load;
import dev.nodekeeper.bench.phase.Phase;
import dev.nodekeeper.bench.phase.Plan;
import dev.nodekeeper.bench.phase.Session;
import dev.nodekeeper.bench.report.Progress;
import dev.nodekeeper.bench.report.Results;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** One fleet on one fresh control plane, through all its phases. */
public final class Run {
  private Run() {}

  /**
   * @param results get what was measured, also of a run that fails half-way
   */
  public static void of(Plan plan, Results results) {
    results.fact("nodes", plan.nodes());
    results.fact("begun", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    results.fact("seed", plan.seed());
    results.fact("duration of paced phases, s", plan.duration().toSeconds());
    results.fact("cores", Runtime.getRuntime().availableProcessors());
    results.fact("JVM options besides the launcher's", String.join(" ", plan.launch().jvm()));
    results.fact("started as", plan.launch().told());
    results.fact("profiled", plan.profiled());
    Progress.line("== a fleet of " + plan.nodes() + " nodes");
    try (var session = new Session(plan, results)) {
      Load.run(session);
      for (var phase : Phase.values()) {
        if (phase == Phase.CAPTURE || plan.phases().contains(phase)) {
          session.run(phase);
        }
      }
      session.conclude();
    }
  }
}
