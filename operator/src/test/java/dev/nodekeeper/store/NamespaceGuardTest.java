package dev.nodekeeper.store;

import static dev.nodekeeper.FakeApi.reply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.FakeApi;
import dev.nodekeeper.pace.Backoff;
import dev.nodekeeper.pace.Stop;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class NamespaceGuardTest {
  private final Stop stop = new Stop();
  private final FakeApi api = new FakeApi();
  private final NamespaceGuard guard =
      new NamespaceGuard(
          api,
          "nk",
          new Backoff(Duration.ofMillis(1), Duration.ofMillis(5), new SplittableRandom(1)),
          stop);

  @AfterEach
  void stop() {
    stop.signal();
  }

  @Test
  @DisplayName("there: one look, and no more")
  void there() throws Exception {
    api.server = call -> reply(200, "{}");
    start();

    assertThat(guard.problem()).isEmpty();
    assertThat(api.calls).hasSize(1);
  }

  @Test
  @DisplayName("missing: it is created")
  void created() throws Exception {
    api.server = call -> reply(call.method().equals("POST") ? 201 : 404, "{}");
    start();

    assertThat(guard.problem()).isEmpty();
    assertThat(api.calls).extracting(call -> call.method()).containsExactly("GET", "POST");
  }

  @Test
  @DisplayName("missing and not ours to create: says what to run, and sees when it has been run")
  void told() throws Exception {
    api.server = call -> reply(call.method().equals("POST") ? 403 : 404, "{}");
    start();

    assertThat(guard.problem().orElseThrow()).contains("kubectl create namespace nk");
    api.server = call -> reply(200, "{}");
    await().until(() -> guard.problem().isEmpty());
  }

  @Test
  @DisplayName("we may not look: it counts as there, until a write misses it")
  void forbidden() throws Exception {
    api.server = call -> reply(403, "{}");
    start();
    assertThat(guard.problem()).isEmpty();

    guard.missing();
    await().until(() -> api.calls.stream().anyMatch(call -> call.method().equals("POST")));
    assertThat(guard.problem()).isPresent();

    guard.present();
    assertThat(guard.problem()).isEmpty();
  }

  @Test
  @DisplayName("being deleted: not ready until it is gone and made again")
  void leaving() throws Exception {
    api.server =
        call -> reply(200, "{\"metadata\":{\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"}}");
    start();
    assertThat(guard.problem().orElseThrow()).contains("being deleted");

    api.server = call -> reply(call.method().equals("POST") ? 201 : 404, "{}");
    await().until(() -> guard.problem().isEmpty());
  }

  @Test
  @DisplayName("no server, or one that is not well: nothing is concluded, it asks again")
  void unreachable() {
    api.server =
        call -> {
          throw FakeApi.unreachable();
        };
    Thread.ofVirtual().start(guard);
    await().until(() -> api.calls.size() > 3);
    assertThat(guard.problem().orElseThrow()).contains("https://fake:6443");

    api.server = call -> reply(401, "{}");
    await().until(() -> guard.problem().orElseThrow().contains("401"));
    assertThat(api.calls).allMatch(call -> call.method().equals("GET"));

    api.server = call -> reply(200, "{}");
    await().until(() -> guard.problem().isEmpty());
  }

  private void start() throws Exception {
    Thread.ofVirtual().start(guard);
    guard.awaitAnswer();
    await().until(() -> !api.calls.isEmpty());
  }
}
