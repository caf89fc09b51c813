package dev.nodekeeper.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.nodekeeper.FakeApi;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.core.keep.Effect.Report;
import dev.nodekeeper.core.keep.Reason;
import dev.nodekeeper.pace.Stop;
import dev.nodekeeper.pace.TokenBucket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EventsTest {
  private static final Report REPORT = new Report("n1", Reason.RESTORE_LIMIT, "three times");

  private final FakeApi api = new FakeApi();
  private final List<Call> posted = api.calls;
  private final AtomicLong nanos = new AtomicLong();
  private final Stop stop = new Stop();
  private final Metrics metrics = new Metrics();
  private final TokenBucket bucket = new TokenBucket(1000, 100, System::nanoTime);
  private final Events events = new Events(api, metrics, bucket, nanos::get, stop);

  @BeforeEach
  void start() {
    api.server = call -> FakeApi.reply(201, "{}");
    Thread.ofVirtual().start(events);
  }

  @AfterEach
  void stop() {
    stop.signal();
  }

  @Test
  @DisplayName("an event on the node, where kubectl describe looks for it")
  void posted() throws Exception {
    events.accept(REPORT);

    await().until(() -> posted.size() == 1);
    JsonNode body = new JsonMapper().readTree(posted.getFirst().body());
    assertThat(posted.getFirst().path()).startsWith("/api/v1/namespaces/default/events");
    assertThat(body.at("/involvedObject/name").asText()).isEqualTo("n1");
    assertThat(body.at("/reason").asText()).isEqualTo("RestoreLimit");
    assertThat(body.at("/metadata/name").asText()).startsWith("n1.");
  }

  @Test
  @DisplayName("the same is not told again for ten minutes")
  void repeated() {
    events.accept(REPORT);
    nanos.addAndGet(Duration.ofMinutes(9).toNanos());
    events.accept(REPORT);
    events.accept(new Report("n2", REPORT.reason(), REPORT.message()));
    nanos.addAndGet(Duration.ofMinutes(2).toNanos());
    events.accept(REPORT);

    await().until(() -> posted.size() == 3);
    assertThat(metrics.scrape()).contains("nodekeeper_events_total{result=\"repeated\"} 1.0");
  }
}
