package dev.nodekeeper.it.share;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Follow;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long nodes waited for us: from an edit until the record says the same, from a return until
 * the node has everything back. Nodes that are away wait for nothing.
 */
final class Waits implements AutoCloseable {
  private final Map<String, String> nodes = new HashMap<>();
  private final Map<String, String> records = new HashMap<>();
  private final Map<String, Long> since = new HashMap<>();
  private final List<Long> waits = new ArrayList<>();
  private long longest;
  private String story = "";
  private int gaps;
  private final List<Follow> watches;

  Waits(World world) {
    watches =
        List.of(
            new Follow(
                world.admin,
                "/api/v1/nodes",
                event -> see(nodes, event, node(event.path("object"))),
                () -> forget(nodes)),
            new Follow(
                world.admin,
                "/api/v1/namespaces/" + world.namespace + "/configmaps",
                event -> see(records, event, record(event.path("object"))),
                () -> forget(records)));
  }

  private static String node(JsonNode node) {
    return World.labels(node) + " " + World.taints(node);
  }

  private static String record(JsonNode map) {
    try {
      JsonNode record = World.JSON.readTree(map.path("data").path("record.json").asText());
      Map<String, String> labels = new TreeMap<>();
      record
          .path("labels")
          .properties()
          .forEach(e -> labels.put(e.getKey(), e.getValue().asText()));
      return labels + " " + World.taints(World.JSON.createObjectNode().set("spec", record));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private synchronized void see(Map<String, String> where, JsonNode event, String content) {
    String name = event.path("object").path("metadata").path("name").asText();
    if (event.path("type").asText().equals("DELETED")) {
      where.remove(name);
    } else {
      where.put(name, content);
    }
    String node = nodes.get(name);
    if (node == null) {
      since.remove(name);
    } else if (!node.equals(records.getOrDefault(name, "{} []"))) {
      since.putIfAbsent(name, System.nanoTime());
    } else if (since.containsKey(name)) {
      long took = System.nanoTime() - since.remove(name);
      waits.add(took);
      if (took > longest) {
        longest = took;
        story = "%s until %s: %s".formatted(name, Instant.now(), node);
      }
    }
  }

  /** The server has ended a watch: who was waiting begins anew. */
  private synchronized void forget(Map<String, String> where) {
    where.clear();
    since.clear();
    gaps++;
  }

  /** How often that happened: at each of these a wait may have been cut in two. */
  synchronized int gaps() {
    return gaps;
  }

  /** Which node waited longest, and until when: where to look in the diary. */
  synchronized String longest() {
    return story;
  }

  /** In nanoseconds, sorted. */
  synchronized List<Long> all() {
    return waits.stream().sorted().toList();
  }

  @Override
  public void close() {
    watches.forEach(Follow::close);
  }
}
