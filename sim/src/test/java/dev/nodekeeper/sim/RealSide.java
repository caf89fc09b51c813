package dev.nodekeeper.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.config.Settings.ClusterSettings;
import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.effect.EffectRunner;
import dev.nodekeeper.pace.Backoff;
import dev.nodekeeper.pace.Stop;
import dev.nodekeeper.pace.TokenBucket;
import dev.nodekeeper.pace.Window;
import dev.nodekeeper.read.NodeReader;
import dev.nodekeeper.read.RecordReader;
import dev.nodekeeper.store.ConfigMapBody;
import dev.nodekeeper.store.NamespaceGuard;
import dev.nodekeeper.telemetry.Metrics;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Kube;
import dev.nodekeeper.testbed.Patch;
import dev.nodekeeper.testbed.SharedControlPlane;
import dev.nodekeeper.watch.Feed;
import dev.nodekeeper.watch.ListOrder;
import dev.nodekeeper.watch.NodeFeed;
import dev.nodekeeper.watch.RecordFeed;
import dev.nodekeeper.watch.Reflector;
import dev.nodekeeper.watch.WatchHealth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.NullMarked;

/**
 * A real kube-apiserver behind the operator's own shell: its watches, requests and reading of
 * answers. Scripts with names of their own share it.
 */
@NullMarked
final class RealSide implements Side, AutoCloseable {
  private static final Duration HANG = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NAMESPACE = "reality";
  private static final int REQUESTS_AT_ONCE = 64;
  private static final String HOLD = "{\"metadata\":{\"finalizers\":[\"reality.example/held\"]}}";
  private static final String UNHOLD = "{\"metadata\":{\"finalizers\":null}}";

  private final Stop stop = new Stop();
  private final Metrics metrics = new Metrics();
  private final Kube admin;
  private final HttpApi api;
  private final NodeReader reader;
  private final EffectRunner runner;
  private final List<Reflector<?>> reflectors = new ArrayList<>();
  private final Map<String, CompletableFuture<Input>> answers = new ConcurrentHashMap<>();
  private final Map<String, BlockingQueue<Input>> nodeEvents = new ConcurrentHashMap<>();
  private final Map<String, BlockingQueue<Input>> recordEvents = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> fences = new ConcurrentHashMap<>();
  private final AtomicInteger fenceNumber = new AtomicInteger();

  RealSide(Policy policy) throws Exception {
    ControlPlane plane = SharedControlPlane.get();
    admin = plane.admin();
    admin.create("/api/v1/namespaces", named("Namespace", NAMESPACE)).expect();
    api = HttpApi.connect(new ClusterSettings(plane.adminKubeconfig().toString(), ""));
    reader = new NodeReader(policy);
    runner =
        new EffectRunner(
            api,
            NAMESPACE,
            reader,
            this::answered,
            new NamespaceGuard(api, NAMESPACE, backoff(), stop),
            new Window(REQUESTS_AT_ONCE, System::nanoTime),
            new TokenBucket(100_000, REQUESTS_AT_ONCE, System::nanoTime),
            _ -> true,
            System::nanoTime,
            metrics,
            stop);
    reflect("nodes", new NodeFeed(reader), nodeEvents);
    reflect("records", new RecordFeed(NAMESPACE), recordEvents);
  }

  private <T> void reflect(String what, Feed<T> feed, Map<String, BlockingQueue<Input>> events) {
    WatchHealth health = new WatchHealth(what, System::nanoTime);
    Consumer<Input> sink = input -> told(input, events);
    var reflector =
        new Reflector<>(
            api, feed, sink, health, metrics, backoff(), () -> true, ListOrder.Place.ALONE, stop);
    reflectors.add(reflector);
    Thread.ofPlatform().daemon().name("reality-" + what).start(reflector);
    long until = System.nanoTime() + HANG.toNanos();
    while (!health.isListed()) {
      if (System.nanoTime() > until || stop.await(Duration.ofMillis(10))) {
        throw new IllegalStateException(what + " were not listed");
      }
    }
  }

  private void told(Input input, Map<String, BlockingQueue<Input>> events) {
    String name = Transcript.name(input);
    if (!name.isEmpty()) {
      events.computeIfAbsent(name, _ -> new LinkedBlockingQueue<>()).add(input);
      CountDownLatch fence = fences.get(name);
      if (fence != null) {
        fence.countDown();
      }
    }
  }

  private static Backoff backoff() {
    return new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), new SplittableRandom());
  }

  // ---- people and kubelets

  @Override
  public NodeState create(String name, boolean held, Consumer<NodeJson> as) {
    ObjectNode node = held ? (ObjectNode) parse(HOLD) : JSON.createObjectNode();
    node.put("apiVersion", "v1").put("kind", "Node");
    node.withObjectProperty("metadata").put("name", name);
    node.putObject("spec");
    as.accept(new NodeJson(node));
    return state(admin.create("/api/v1/nodes", node).expect());
  }

  @Override
  public NodeState change(String name, Consumer<NodeJson> how) {
    ObjectNode node = (ObjectNode) admin.get(node(name)).expect();
    how.accept(new NodeJson(node));
    return state(admin.replace(node(name), node).expect());
  }

  @Override
  public void delete(String name) {
    admin.delete(node(name)).expect();
  }

  @Override
  public NodeState terminate(String name) {
    admin.delete(node(name)).expect();
    return state(admin.get(node(name)).expect());
  }

  @Override
  public void release(String name) {
    admin.patch(node(name), Patch.MERGE, UNHOLD).expect();
  }

  @Override
  public void writeRecord(String name, Map<String, String> data) {
    String body = ConfigMapBody.created(NAMESPACE, name, data);
    if (admin.get(record(name)).ok()) {
      admin.replace(record(name), body).expect();
    } else {
      admin.create(records(), body).expect();
    }
  }

  @Override
  public void deleteRecord(String name) {
    admin.delete(record(name)).expect();
  }

  // ---- we

  @Override
  public Input perform(Effect.Request request) {
    CompletableFuture<Input> answer = new CompletableFuture<>();
    answers.put(request.node(), answer);
    runner.perform(request);
    return answer.orTimeout(HANG.toSeconds(), TimeUnit.SECONDS).join();
  }

  private void answered(Input input) {
    Objects.requireNonNull(answers.remove(Transcript.name(input))).complete(input);
  }

  @Override
  public Listed list(String name) {
    String only = "?fieldSelector=metadata.name=" + name;
    JsonNode nodes = admin.get("/api/v1/nodes" + only).expect();
    List<NodeState> states = new ArrayList<>();
    nodes.path("items").forEach(item -> states.add(state(item)));
    List<Stored> stored = new ArrayList<>();
    JsonNode maps = admin.get(records() + only).expect();
    maps.path("items").forEach(item -> stored.add(stored(item)));
    return new Listed(states, stored, nodes.path("metadata").path("resourceVersion").asLong());
  }

  /** Afterwards both watches have shown everything that was written before. */
  void fence() throws InterruptedException {
    String name = "fence-" + fenceNumber.incrementAndGet();
    CountDownLatch both = new CountDownLatch(2);
    fences.put(name, both);
    admin.create("/api/v1/nodes", named("Node", name)).expect();
    admin.create(records(), named("ConfigMap", name)).expect();
    if (!both.await(HANG.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("the watches do not show " + name);
    }
  }

  @Override
  public List<Input> watched(String name) {
    List<Input> all = new ArrayList<>();
    all.addAll(nodeEvents.getOrDefault(name, new LinkedBlockingQueue<>()));
    all.addAll(recordEvents.getOrDefault(name, new LinkedBlockingQueue<>()));
    return all;
  }

  /** Until the last fence. */
  @Override
  public List<Input> nodesSince(String name, long rv) {
    NodeFeed feed = new NodeFeed(reader);
    String end = "fence-" + fenceNumber.get();
    List<Input> found = new ArrayList<>();
    CountDownLatch ended = new CountDownLatch(1);
    Consumer<JsonNode> look =
        event -> {
          NodeState node = state(event.path("object"));
          if (node.name().equals(name)) {
            found.add(feed.event(Feed.Change.valueOf(event.path("type").asText()), node));
          } else if (node.name().equals(end)) {
            ended.countDown();
          }
        };
    try (var watch = admin.watch("/api/v1/nodes?resourceVersion=" + rv, look)) {
      if (!ended.await(HANG.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("a watch from " + rv + " does not reach " + end);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    return found;
  }

  private NodeState state(JsonNode node) {
    try {
      return reader.read(node.toString().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stored stored(JsonNode map) {
    try {
      return RecordReader.read(map.toString().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode parse(String json) {
    return NodeJson.parse(json);
  }

  private static ObjectNode named(String kind, String name) {
    ObjectNode object = JSON.createObjectNode();
    object.put("apiVersion", "v1").put("kind", kind).putObject("metadata").put("name", name);
    return object;
  }

  private static String node(String name) {
    return "/api/v1/nodes/" + name;
  }

  private static String records() {
    return "/api/v1/namespaces/" + NAMESPACE + "/configmaps";
  }

  private static String record(String name) {
    return records() + "/" + name;
  }

  @Override
  public void close() {
    stop.signal();
    reflectors.forEach(Reflector::close);
    runner.close();
    api.close();
    metrics.close();
    admin.patch("/api/v1/nodes", Patch.MERGE, UNHOLD);
    admin.delete("/api/v1/nodes").expect();
    admin.delete(records()).expect();
  }
}
