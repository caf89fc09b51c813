package dev.nodekeeper.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.Keeper;
import dev.nodekeeper.core.keep.Limits;
import dev.nodekeeper.core.keep.Role;
import dev.nodekeeper.core.keep.Shares;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.pace.Stop;
import dev.nodekeeper.read.NodeReader;
import dev.nodekeeper.telemetry.Metrics;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KeeperLoopTest {
  private final Stop stop = new Stop();
  private final Inbox inbox = new Inbox();
  private final Metrics metrics = new Metrics();
  private final List<Effect> requests = new CopyOnWriteArrayList<>();

  @AfterEach
  void stop() {
    stop.signal();
  }

  @Test
  @DisplayName("inputs lead to requests, ticks come by themselves")
  void works() throws Exception {
    start(requests::add);
    list();

    await().until(() -> requests.size() == 1);
    assertThat(requests.getFirst()).isInstanceOf(Effect.CreateRecord.class);
  }

  @Test
  @DisplayName("an exception for one input is counted, and the loop goes on")
  void survives() throws Exception {
    KeeperLoop loop =
        start(
            request -> {
              requests.add(request);
              throw new IllegalStateException("boom");
            });
    list();
    await().until(() -> requests.size() == 1);
    inbox.put(new Input.NodeProgress(99));

    await().until(() -> inbox.size() == 0);
    assertThat(loop.problem()).isEmpty();
    assertThat(metrics.scrape()).contains("nodekeeper_keeper_failures_total 1.0");
  }

  @Test
  @DisplayName("a dead loop says so")
  void dies() throws Exception {
    KeeperLoop loop =
        start(
            request -> {
              throw new AssertionError("gone");
            });
    list();

    await().until(() -> loop.problem().isPresent());
    assertThat(loop.problem().orElseThrow()).contains("died", "gone");
  }

  @Test
  @DisplayName("a question is answered by the Keeper; where it fails, the other answer must do")
  void asked() throws Exception {
    KeeperLoop loop = start(requests::add);
    list();
    await().until(() -> requests.size() == 1);

    assertThat(loop.ask(Keeper::nodesSeen, -1L)).isEqualTo(7);
    assertThat(
            loop.ask(
                keeper -> {
                  throw new IllegalStateException("boom");
                },
                "nothing"))
        .isEqualTo("nothing");
    assertThat(loop.problem()).isEmpty();
  }

  @Test
  @DisplayName("after close nobody waits for room in the inbox")
  void closed() {
    inbox.close();
    for (int i = 0; i < 10_000; i++) {
      inbox.put(new Input.Tick());
    }
    assertThat(inbox.size()).isZero();
  }

  private void list() throws Exception {
    String json =
        """
        {"metadata":{"name":"n","uid":"u","resourceVersion":"5","labels":{"team":"vision"}}}""";
    NodeState node = new NodeReader(Policy.DEFAULT).read(json.getBytes(StandardCharsets.UTF_8));
    inbox.put(new Input.RecordsListed(List.of(), 6));
    inbox.put(new Input.NodeListStarted());
    inbox.put(new Input.NodesListed(List.of(node), 7));
  }

  private KeeperLoop start(Consumer<Effect> sink) {
    KeeperLoop loop =
        new KeeperLoop(
            new Keeper(Policy.DEFAULT, Limits.DEFAULT, Role.ALL),
            inbox,
            sink,
            metrics,
            new SteadyClock(),
            () -> 0,
            () -> Shares.ALL,
            new Nonces(),
            stop);
    Thread.ofPlatform().daemon().start(loop);
    return loop;
  }
}
