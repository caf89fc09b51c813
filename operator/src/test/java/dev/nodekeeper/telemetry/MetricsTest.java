package dev.nodekeeper.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.keep.Counts;
import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Effect.Purpose;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.Outcome;
import dev.nodekeeper.core.keep.Reason;
import dev.nodekeeper.core.model.Stored.Origin;
import io.micrometer.core.instrument.Tags;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MetricsTest {
  private final Metrics metrics = new Metrics();
  private final Effect.PatchNode restore =
      new Effect.PatchNode("secret-node", "u", 1, "x", "{}", Purpose.RESTORE);

  @Test
  @DisplayName("every metric that is declared is scraped under exactly that name")
  void names() {
    metrics.requested(restore, done(new Outcome.Ok(Origin.NONE)), 1000);
    metrics.requested(restore, done(new Outcome.Conflict("late")), 1000);
    metrics.watched("nodes", "ADDED");
    metrics.relisted("nodes");
    metrics.unreadable("nodes");
    metrics.event("posted");
    metrics.reported(Reason.RESTORED);
    metrics.lag(5);
    metrics.counts(new Counts(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    metrics.gauge(Metric.INBOX, Tags.empty(), () -> 0);
    metrics.leaseFailed();
    for (Metric each : List.of(Metric.WINDOW, Metric.SHARDS, Metric.REPLICAS)) {
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
        .contains("nodekeeper_tombstones 3.0");
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
