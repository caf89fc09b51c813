package dev.nodekeeper.it.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.config.LogFormat;
import dev.nodekeeper.config.LogLevel;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Taint;
import dev.nodekeeper.it.Parallel;
import dev.nodekeeper.it.Running;
import dev.nodekeeper.it.World;
import dev.nodekeeper.it.input.BadRecords.Bad;
import dev.nodekeeper.it.input.BadRecords.Effect;
import dev.nodekeeper.it.input.BadRecords.Where;
import dev.nodekeeper.telemetry.Logging;
import dev.nodekeeper.telemetry.Metric;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Every node name gets a few unreadable records one after the other, each written under the
 * revision of the one before (so that a write of ours between them would be noticed), and at last
 * one more; at some moment in between the node returns, and vanishes and returns once more, or a
 * person sets a label on it, which must not be captured over a record that we cannot read.
 *
 * <p>{@code -Dbad.seed=S} replays a failure, which names its seed; {@code -Dbad.records=N} sets the
 * number.
 */
@DisplayName("A bad record is inert")
final class BadRecordsIT {
  private static final int RECORDS = Integer.getInteger("bad.records", 10_000);
  private static final int PER_NODE = 4;
  private static final int WAVE = 500;
  private static final int HEALTHY = 10;

  private final World world = new World();
  private final long seed = Long.getLong("bad.seed", System.nanoTime());

  /**
   * A node name and the records it gets.
   *
   * @param returns after how many of them the node is there
   * @param then what happens to it after one more
   */
  private record Story(String node, List<Bad> records, int returns, Then then) {
    Bad last() {
      return records.getLast();
    }

    /** What the node must have at the end, or may have at most. */
    Content expected() {
      SortedMap<Key, String> map = last().allowed().toMap();
      if (then == Then.LABELLED) {
        map.put(MINE, "1");
      }
      return Content.of(map);
    }
  }

  private enum Then {
    RETURNS_AGAIN,
    LABELLED,
    STAYS
  }

  private static final Key MINE = Key.label("mine");

  @AfterEach
  void end() throws Exception {
    world.close();
    Logging.configure(LogLevel.WARN, LogFormat.TEXT);
  }

  @Test
  @DisplayName("10,000 of them, live: no wrong write, none overwritten, no failure, others served")
  void inert() throws Exception {
    // It has to say something about each of them.
    Logging.configure(LogLevel.ERROR, LogFormat.TEXT);
    Running keeper = world.keeper("--keep=labels,taints,annotations,cordon");
    SplittableRandom seeds = new SplittableRandom(seed);
    Map<String, Integer> kinds = new TreeMap<>();
    int nodes = RECORDS / PER_NODE;
    for (int first = 0; first < nodes; first += WAVE) {
      List<Story> stories = new ArrayList<>();
      for (int i = first; i < Math.min(nodes, first + WAVE); i++) {
        stories.add(story("bad-" + i, seeds.split()));
      }
      stories.forEach(s -> s.records().forEach(bad -> kinds.merge(bad.what(), 1, Integer::sum)));
      wave(keeper, first, stories);
    }
    System.out.printf("bad records by kind: %s (-Dbad.seed=%d)%n", kinds, seed);
    assertThat(kinds.values().stream().mapToInt(n -> n).sum()).isEqualTo(nodes * PER_NODE);
    assertThat(metric(keeper, Metric.KEEPER_FAILURES)).as("seed %d", seed).isZero();
    assertThat(metric(keeper, Metric.UNREADABLE)).as("seed %d", seed).isZero();
    assertThat(keeper.problems()).as("seed %d", seed).isEmpty();
  }

  private static Story story(String node, SplittableRandom random) {
    BadRecords source = new BadRecords(random);
    List<Bad> records = new ArrayList<>();
    for (int i = 0; i < PER_NODE - 1; i++) {
      records.add(source.unreadable(node, i));
    }
    records.add(
        switch (random.nextInt(8)) {
          case 0, 1 -> source.unreadable(node, PER_NODE);
          case 2 -> source.flipped(node, PER_NODE);
          default -> source.odd(node, PER_NODE);
        });
    Then then = Then.values()[random.nextInt(Then.values().length)];
    return new Story(node, records, random.nextInt(PER_NODE), then);
  }

  private void wave(Running keeper, int number, List<Story> stories) {
    Map<String, String> revisions = new HashMap<>();
    Parallel.each(
        stories,
        story -> {
          String revision = play(story);
          synchronized (revisions) {
            revisions.put(story.node(), revision);
          }
        });
    healthy(number);
    await("what odd records rightly say")
        .atMost(World.HANG)
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(() -> check(stories, Effect.ALLOWED));
    world.settle(keeper);
    check(stories, Effect.NONE);
    check(stories, Effect.AT_MOST);
    check(stories, Effect.ALLOWED);
    Map<String, JsonNode> maps = byName("/api/v1/namespaces/" + world.namespace + "/configmaps");
    for (Story story : stories) {
      if (story.last().effect() == Effect.NONE) {
        assertThat(maps.get(story.node()).path("metadata").path("resourceVersion").asText())
            .as("nobody wrote over it: %s", about(story))
            .isEqualTo(revisions.get(story.node()));
      }
    }
    world.admin.delete("/api/v1/nodes").expect();
    world.admin.delete("/api/v1/namespaces/" + world.namespace + "/configmaps").expect();
  }

  /** The revision of the last record. */
  private String play(Story story) {
    String revision = "";
    for (int i = 0; i <= PER_NODE; i++) {
      if (i == story.returns()) {
        world.register(story.node());
      } else if (i == story.returns() + 1 && story.then() == Then.RETURNS_AGAIN) {
        world.vanish(story.node());
        world.register(story.node());
      } else if (i == story.returns() + 1 && story.then() == Then.LABELLED) {
        world.label(story.node(), MINE.name(), "1");
      }
      if (i < PER_NODE) {
        revision = write(story, story.records().get(i), revision);
      }
    }
    return revision;
  }

  private String write(Story story, Bad bad, String revision) {
    ObjectNode map = World.object("ConfigMap", story.node());
    bad.data()
        .forEach(
            (entry, text) ->
                map.withObjectProperty(bad.where() == Where.DATA ? "data" : "binaryData")
                    .put(entry, bad.where() == Where.DATA ? text : base64(text)));
    if (revision.isEmpty()) {
      String path = "/api/v1/namespaces/" + world.namespace + "/configmaps";
      return world.admin.create(path, map).expect().at("/metadata/resourceVersion").asText();
    }
    ((ObjectNode) map.get("metadata")).put("resourceVersion", revision);
    var reply = world.admin.replace(world.recordPath(story.node()), map);
    assertThat(reply.code())
        .as("nobody wrote between two bad records: %s; %s", reply.message(), about(story))
        .isEqualTo(200);
    return reply.resourceVersion();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Good records among the bad ones: they are served, and show how far we have read. */
  private void healthy(int number) {
    for (int i = 0; i < HEALTHY; i++) {
      String node = "good-" + number + "-" + i;
      ObjectNode map = World.object("ConfigMap", node);
      Content content = BadRecords.content(node, i);
      BadRecords.good(node, i).forEach(map.putObject("data")::put);
      world.admin.create("/api/v1/namespaces/" + world.namespace + "/configmaps", map).expect();
      world.register(node);
      await("node " + node)
          .atMost(World.HANG)
          .untilAsserted(() -> assertThat(on(world.node(node))).isEqualTo(content));
    }
  }

  private void check(List<Story> stories, Effect effect) {
    Map<String, JsonNode> nodes = byName("/api/v1/nodes");
    for (Story story : stories) {
      Bad bad = story.last();
      if (bad.effect() == effect) {
        Content found = on(nodes.get(story.node()));
        if (effect == Effect.AT_MOST) {
          assertThat(story.expected().toMap()).as(about(story)).containsAllEntriesOf(found.toMap());
        } else {
          assertThat(found).as(about(story)).isEqualTo(story.expected());
        }
      }
    }
  }

  /** What somebody but the kubelet and the control plane has put on it; our marks aside. */
  private static Content on(JsonNode node) {
    JsonNode annotations = node.path("metadata").path("annotations");
    Map<String, String> others = new TreeMap<>();
    annotations
        .properties()
        .forEach(
            entry -> {
              if (!entry.getKey().startsWith("volumes.kubernetes.io/")
                  && !entry.getKey().equals("nodekeeper.dev/restored")
                  && !entry.getKey().equals("nodekeeper.dev/withheld")) {
                others.put(entry.getKey(), entry.getValue().asText());
              }
            });
    List<Taint> taints = new ArrayList<>();
    for (String taint : World.taints(node)) {
      String[] parts = taint.split("[=:]", 3);
      taints.add(new Taint(parts[0], parts[1], parts[2]));
    }
    boolean cordoned = node.path("spec").path("unschedulable").asBoolean();
    return Content.of(World.labels(node), taints, others, cordoned);
  }

  private Map<String, JsonNode> byName(String path) {
    Map<String, JsonNode> found = new HashMap<>();
    world
        .admin
        .withTimeout(Duration.ofSeconds(60))
        .list(path)
        .forEach(item -> found.put(item.path("metadata").path("name").asText(), item));
    return found;
  }

  private String about(Story story) {
    return "%s: %s, there after %d, %s; seed %d"
        .formatted(
            story.node(),
            story.records().stream().map(Bad::what).toList(),
            story.returns(),
            story.then(),
            seed);
  }

  private static double metric(Running keeper, Metric metric)
      throws IOException, InterruptedException {
    URI address = URI.create("http://localhost:" + keeper.httpPort() + "/metrics");
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
          .body()
          .lines()
          .filter(line -> line.startsWith(metric.scraped()))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    }
  }
}
