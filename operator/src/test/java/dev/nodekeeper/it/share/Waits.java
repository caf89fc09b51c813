package dev.nodekeeper.it.share;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Watch;
import java.io.IOException;
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
  private final List<Watch> watches;

  Waits(World world) {
    watches =
        List.of(
            world.admin.watch(
                "/api/v1/nodes?timeoutSeconds=86400",
                event -> see(nodes, event, node(event.path("object")))),
            world.admin.watch(
                "/api/v1/namespaces/" + world.namespace + "/configmaps?timeoutSeconds=86400",
                event -> see(records, event, record(event.path("object")))));
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
      waits.add(System.nanoTime() - since.remove(name));
    }
  }

  /** In nanoseconds, sorted. */
  synchronized List<Long> all() {
    return waits.stream().sorted().toList();
  }

  @Override
  public void close() {
    watches.forEach(Watch::close);
  }
}
