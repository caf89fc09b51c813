package dev.nodekeeper.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.bench.measure.Launch;
import dev.nodekeeper.bench.phase.Phase;
import dev.nodekeeper.bench.phase.Plan;
import dev.nodekeeper.bench.report.Figure;
import dev.nodekeeper.bench.report.Report;
import dev.nodekeeper.bench.report.Results;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The bench on a small fleet: what it counts must be right, how fast is not asked")
final class BenchIT {
  private static final int NODES = 300;

  /** By the first word of their keys. */
  private static final String FIGURES =
      """
      load: bare_patches_per_s registrations_per_s patches_per_s node_bytes
      capture: seconds cpu_ms_per_node peak_rss_mib creates_per_s
      plain: record_bytes creates_per_s lists_s lists_json_s patches_per_s registrations_per_s
      cold: ready_s compared_s cpu_s cpu_ms_per_node peak_rss_mib
      storm: edits_per_s live_s cpu_ms_per_node peak_rss_mib requests_per_life reads restores_per_s
      outage: seconds cpu_ms_per_node peak_rss_mib
      rolling: nodes per_s plain_p50_ms plain_p99_ms restored_p50_ms restored_p99_ms extra_p99_ms late_p99_ms request_ms lag_ms
      rolling: cpu_percent
      edits: per_s burst_p50_ms burst_p99_ms sustained_p50_ms sustained_p99_ms request_ms lag_ms
      edits: cpu_percent peak_rss_mib
      idle: writes leases_per_s cpu_percent rss_mib jvm_mib
      relist: seconds cpu_ms_per_node peak_rss_mib
      failover: standby_cpu_percent standby_rss_mib edited_nodes first_s last_s
      check: lost stale overwritten
      """;

  @Test
  @DisplayName(
      "through all phases nothing is lost, stale or overwritten, and a life costs two requests")
  void small(@TempDir Path folder) throws Exception {
    var launch = new Launch(Launch.launcher(), List.of("-Xmx256m"), folder);
    var plan =
        new Plan(
            NODES,
            EnumSet.allOf(Phase.class),
            7,
            Duration.ofSeconds(5),
            launch,
            /* profiled= */ false);

    var results = new Results();
    Run.of(plan, results);

    Path table = Report.write(results, folder, "small", "Small");
    System.out.println(Files.readString(table));
    assertThat(results.value("check.lost")).as("lost").isZero();
    assertThat(results.value("check.stale")).as("stale").isZero();
    assertThat(results.value("check.overwritten")).as("overwritten").isZero();
    assertThat(results.value("storm.requests_per_life")).isBetween(2.0, 2.02);
    assertThat(results.value("storm.reads")).isZero();
    assertThat(results.value("idle.writes")).isZero();
    assertThat(results.value("load.node_bytes")).isBetween(8_000.0, 14_000.0);
    assertThat(results.figures())
        .as("every figure was measured")
        .allMatch(figure -> Double.isFinite(figure.value()))
        .extracting(Figure::key)
        .containsExactlyInAnyOrderElementsOf(keys());
    for (var file :
        List.of("small.json", "small-storm.svg", "small-rolling.svg", "small-edits.svg")) {
      assertThat(folder.resolve(file)).isNotEmptyFile();
    }
  }

  private static List<String> keys() {
    return FIGURES
        .lines()
        .flatMap(
            line -> {
              var words = List.of(line.split("[: ]+", -1));
              return words.stream().skip(1).map(word -> words.getFirst() + "." + word);
            })
        .toList();
  }
}
