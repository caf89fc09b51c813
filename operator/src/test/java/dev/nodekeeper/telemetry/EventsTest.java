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
  @DisplayName("the same is not told again for ten minutes, and then says how often it was")
  void repeated() throws Exception {
    events.accept(REPORT);
    nanos.addAndGet(Duration.ofMinutes(9).toNanos());
    events.accept(new Report("n1", REPORT.reason(), "four times"));
    events.accept(new Report("n2", REPORT.reason(), REPORT.message()));
    nanos.addAndGet(Duration.ofMinutes(2).toNanos());
    events.accept(REPORT);

    await().until(() -> posted.size() == 3);
    assertThat(metrics.scrape()).contains("nodekeeper_events_total{result=\"repeated\"} 1.0");
    JsonNode last = new JsonMapper().readTree(posted.getLast().body());
    assertThat(last.path("count").asInt()).isEqualTo(2);
    assertThat(last.path("type").asText()).isEqualTo("Warning");
  }

  @Test
  @DisplayName("what went well is a normal event")
  void normal() throws Exception {
    events.accept(new Report("n1", Reason.RESTORED, "labels: 2"));
    await().until(() -> posted.size() == 1);
    JsonNode body = new JsonMapper().readTree(posted.getFirst().body());
    assertThat(body.path("type").asText()).isEqualTo("Normal");
    assertThat(body.path("count").asInt()).isEqualTo(1);
  }

  @Test
  @DisplayName(
      "all nodes have trouble at once: a thousand wait for their turn, the rest is dropped")
  void flood() {
    TokenBucket slow = new TokenBucket(5, 25, nanos::get);
    Events limited = new Events(api, metrics, slow, nanos::get, stop);
    for (int i = 0; i < 5000; i++) {
      limited.accept(new Report("m" + i, REPORT.reason(), REPORT.message()));
    }
    assertThat(metrics.scrape()).contains("nodekeeper_events_total{result=\"dropped\"} 4000.0");
  }

  @Test
  @DisplayName(
      "all nodes return at once: ten are told, then one a second; a dropped one is not told")
  void fleet() {
    for (int i = 0; i < 500; i++) {
      events.accept(new Report("m" + i, Reason.RESTORED, "labels: 2"));
    }
    await().until(() -> posted.size() == 10);
    assertThat(metrics.scrape()).contains("nodekeeper_events_total{result=\"dropped\"} 490.0");
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    events.accept(new Report("m499", Reason.RESTORED, "labels: 2"));
    await().until(() -> posted.size() == 11);
  }
}
