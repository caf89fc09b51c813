package dev.nodekeeper.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.keep.Counts;
import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Effect.Gift;
import dev.nodekeeper.core.keep.Effect.Purpose;
import dev.nodekeeper.core.keep.Effect.Report;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.NodeClass;
import dev.nodekeeper.core.keep.Outcome;
import dev.nodekeeper.core.keep.Reason;
import dev.nodekeeper.core.keep.Verdict;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.State;
import dev.nodekeeper.core.model.Stored.Origin;
import io.micrometer.core.instrument.Tags;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MetricsTest {
  private final Metrics metrics = new Metrics();
  private final Effect.PatchNode restore =
      new Effect.PatchNode(
          "secret-node",
          "u",
          1,
          "x",
          "{}",
          Purpose.RESTORE,
          new Gift(1, "u0", Map.of(Kind.LABEL, 2)));

  @Test
  @DisplayName("every metric that is declared is scraped under exactly that name")
  void names() {
    metrics.requested(restore, done(new Outcome.Ok(Origin.NONE)), 1000);
    metrics.requested(restore, done(new Outcome.Conflict("late")), 1000);
    metrics.watched("nodes", "ADDED");
    metrics.relisted("nodes");
    metrics.unreadable("nodes");
    metrics.event("posted");
    metrics.reported(new Report("secret-node", Reason.RESTORED, "labels: 2"));
    metrics.responded(restore, 409);
    metrics.lag(5);
    metrics.counts(
        new Counts(
            1,
            2,
            3,
            4,
            5,
            6,
            7,
            8,
            9,
            10,
            11,
            Map.of(State.AWAY, 12),
            Map.of(State.REFUSED, 13_000L),
            Map.of(Verdict.RESTORE, 14L),
            Map.of(NodeClass.DEDICATED, Map.of(Kind.TAINT, 15L))));
    metrics.gauge(Metric.INBOX, Tags.empty(), () -> 0);
    metrics.leaseFailed();
    metrics.leases(() -> new Metrics.Lease(16, 5, false));
    for (Metric each : List.of(Metric.WINDOW, Metric.REPLICAS)) {
      metrics.gauge(each, Tags.empty(), () -> 0);
    }
    metrics.gauge(Metric.WATCH_AGE, Tags.of("resource", "nodes"), () -> 0);

    String scraped = metrics.scrape();

    assertThat(Arrays.stream(Metric.values()))
        .allSatisfy(metric -> assertThat(scraped).contains("# TYPE " + metric.scraped() + " "));
    assertThat(scraped)
        .contains("nodekeeper_requests_total{outcome=\"ok\",purpose=\"restore\"} 1.0")
        .contains("nodekeeper_restores_total 1.0")
        .contains("nodekeeper_conflicts_total 1.0")
        .contains("nodekeeper_tombstones 3.0")
        .contains("nodekeeper_owned_nodes{role=\"all\",state=\"away\"} 12.0")
        .contains("nodekeeper_pending_age_seconds{role=\"all\",state=\"refused\"} 13.0")
        .contains("nodekeeper_decisions_total{decision=\"restore\"} 14.0")
        .contains("nodekeeper_content_changes_total{class=\"dedicated\",kind=\"taint\"} 15.0")
        .contains("nodekeeper_shards{role=\"all\"} 16.0")
        .contains("nodekeeper_shards_owned{role=\"all\"} 5.0")
        .contains("nodekeeper_lease_state{role=\"all\",state=\"owner\"} 1.0")
        .contains("nodekeeper_responses_total{call=\"patch-node\",code=\"409\"} 1.0")
        .contains("nodekeeper_restored_keys_total{kind=\"label\"} 2.0")
        .contains("nodekeeper_restore_seconds_count 1");
  }

  @Test
  @DisplayName("node names are never labels")
  void noNames() {
    metrics.requested(restore, done(new Outcome.Gone()), 1000);

    assertThat(metrics.scrape()).doesNotContain("secret-node");
  }

  private Input done(Outcome outcome) {
    return new Input.Done(restore, outcome);
  }
}
