package dev.nodekeeper.effect;

import static dev.nodekeeper.FakeApi.reply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.FakeApi;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Effect.Purpose;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.Outcome;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.pace.Backoff;
import dev.nodekeeper.pace.Stop;
import dev.nodekeeper.pace.TokenBucket;
import dev.nodekeeper.pace.Window;
import dev.nodekeeper.read.NodeReader;
import dev.nodekeeper.store.NamespaceGuard;
import dev.nodekeeper.telemetry.Metrics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class EffectRunnerTest {
  private static final String WRITTEN =
      "{\"metadata\":{\"name\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"9\"}}";

  private final Stop stop = new Stop();
  private final FakeApi api = new FakeApi();
  private final List<Input> answers = new CopyOnWriteArrayList<>();
  private final Metrics metrics = new Metrics();
  private final NamespaceGuard guard =
      new NamespaceGuard(
          api,
          "ns",
          new Backoff(Duration.ofMillis(1), Duration.ofMillis(5), new SplittableRandom(1)),
          stop);
  private final AtomicLong now = new AtomicLong();
  private final EffectRunner runner =
      new EffectRunner(
          api,
          "ns",
          new NodeReader(Policy.DEFAULT),
          answers::add,
          guard,
          new Window(2, System::nanoTime),
          new TokenBucket(100_000, 100, System::nanoTime),
          node -> !node.equals("theirs"),
          now::get,
          metrics,
          stop);

  @AfterEach
  void stop() {
    stop.signal();
    runner.close();
  }

  @Test
  @DisplayName("one effect is exactly one request")
  void requests() {
    NodeRecord record = NodeRecord.none("n").storedAs(new Origin("u", 5, ""));
    api.server = call -> reply(200, WRITTEN);
    List<Effect.Request> requests =
        List.of(
            new Effect.PatchNode(
                "n", "u", 1, "application/merge-patch+json", "{}", Purpose.RESTORE),
            new Effect.CreateRecord("n", Map.of(), record, Purpose.CREATE),
            new Effect.UpdateRecord("n", Map.of(), record, Purpose.CAPTURE),
            new Effect.DeleteRecord("n", record),
            new Effect.ReadRecord("n"),
            new Effect.ReadNode("n"));

    for (Effect.Request request : requests) {
      int before = answers.size();
      runner.perform(request);
      await().until(() -> answers.size() > before);
    }

    String records = "/api/v1/namespaces/ns/configmaps";
    assertThat(api.calls)
        .extracting(call -> call.method() + " " + call.path())
        .containsExactlyInAnyOrder(
            "PATCH /api/v1/nodes/n?fieldManager=nodekeeper",
            "POST " + records + "?fieldManager=nodekeeper",
            "PUT " + records + "/n?fieldManager=nodekeeper",
            "DELETE " + records + "/n",
            "GET " + records + "/n",
            "GET /api/v1/nodes/n");
    assertThat(api.calls)
        .filteredOn(call -> call.method().equals("PATCH"))
        .extracting(Call::accept)
        .containsExactly(Call.METADATA_ONLY);
    assertThat(api.calls)
        .as("a delete only hits the version that was looked at")
        .filteredOn(call -> call.method().equals("DELETE"))
        .extracting(Call::body)
        .containsExactly(
            "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\","
                + "\"preconditions\":{\"uid\":\"u\",\"resourceVersion\":\"5\"}}");
  }

  @Test
  @DisplayName("no answer, or an error of our own, is an outcome: unknown")
  void failures() {
    api.server =
        call -> {
          throw FakeApi.unreachable();
        };
    runner.perform(new Effect.ReadNode("a"));
    await().until(() -> answers.size() == 1);
    api.server =
        call -> {
          throw new IllegalStateException("a bug");
        };
    runner.perform(new Effect.ReadNode("b"));
    await().until(() -> answers.size() == 2);

    assertThat(answers)
        .allSatisfy(
            answer ->
                assertThat(((Input.Done) answer).outcome()).isInstanceOf(Outcome.Unknown.class));
  }

  @Test
  @DisplayName("no more requests in flight than there are writers")
  void bounded() {
    AtomicInteger inFlight = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch go = new CountDownLatch(1);
    api.server =
        call -> {
          most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
          await().until(() -> go.getCount() == 0);
          inFlight.decrementAndGet();
          return reply(404, "{}");
        };
    for (int i = 0; i < 10; i++) {
      runner.perform(new Effect.ReadNode("n" + i));
    }
    await().until(() -> inFlight.get() == 2);
    go.countDown();

    await().until(() -> answers.size() == 10);
    assertThat(most.get()).isEqualTo(2);
  }

  @Test
  @DisplayName("what was asked for too long ago is not sent: its reasons may be over")
  void late() {
    overtaken(_ -> now.addAndGet(Effect.Request.FRESH.toNanos() + 1));
  }

  @Test
  @DisplayName("what is recalled before its turn is not sent, what was sent is answered")
  void recalled() {
    overtaken(
        waits -> {
          runner.recall(new Effect.Recall(new Effect.ReadNode("a")));
          runner.recall(new Effect.Recall(waits));
        });
    runner.perform(new Effect.ReadNode("c"));
    await().until(() -> api.calls.size() == 3);
  }

  /** Two are under way, and what happens to the third that waits keeps it from being sent. */
  private void overtaken(Consumer<Effect.Request> happens) {
    CountDownLatch go = new CountDownLatch(1);
    api.server =
        call -> {
          await().until(() -> go.getCount() == 0);
          return reply(404, "{}");
        };
    runner.perform(new Effect.ReadNode("a"));
    runner.perform(new Effect.ReadNode("b"));
    await().until(() -> api.calls.size() == 2);
    Effect.Request waits = new Effect.ReadNode("c");
    runner.perform(waits);
    happens.accept(waits);
    go.countDown();

    await().until(() -> answers.size() == 3);
    assertThat(answers).contains(new Input.Done(waits, new Outcome.NotSent()));
    assertThat(api.calls).hasSize(2);
  }

  @Test
  @DisplayName("what is no longer ours is not sent")
  void notOurs() {
    Effect.Request delete = new Effect.DeleteRecord("theirs", NodeRecord.none("theirs"));
    runner.perform(delete);

    await().until(() -> answers.size() == 1);
    assertThat(answers.getFirst()).isEqualTo(new Input.Done(delete, new Outcome.NotSent()));
    assertThat(api.calls).isEmpty();
    runner.perform(
        new Effect.CreateRecord("theirs", Map.of(), NodeRecord.none("theirs"), Purpose.LAST_WORD));
    await().until(() -> answers.size() == 2);
    assertThat(api.calls).as("a last word is anybody's").hasSize(1);
  }

  @Test
  @DisplayName("a 429 with Retry-After holds everybody back for so long")
  void retryAfter() {
    api.server = call -> new Reply(429, new byte[0], Duration.ofSeconds(1));
    long began = System.nanoTime();
    runner.perform(new Effect.ReadNode("a"));
    await().until(() -> answers.size() == 1);
    api.server = call -> reply(404, "{}");
    runner.perform(new Effect.ReadNode("b"));

    await().until(() -> answers.size() == 2);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofSeconds(1));
  }

  @Test
  @DisplayName("a create without a namespace raises the alarm, a create that works ends it")
  void namespace() {
    Effect.Request create =
        new Effect.CreateRecord("n", Map.of(), NodeRecord.none("n"), Purpose.CREATE);
    api.server = call -> reply(404, "{}");
    runner.perform(create);
    await().until(() -> guard.problem().isPresent());

    api.server = call -> reply(201, WRITTEN);
    runner.perform(create);
    await().until(() -> guard.problem().isEmpty());
  }
}
