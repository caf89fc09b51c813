package dev.nodekeeper.it.fault;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Watch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What happened to each node and its record, as the API server tells it: the story of a failure.
 */
final class Diary implements AutoCloseable {
  private final World world;
  private final Map<String, Queue<String>> lines = new ConcurrentHashMap<>();
  private final List<Watch> watches = new ArrayList<>();

  Diary(World world) {
    this.world = world;
  }

  /** Again after the API server was restarted: a watch does not survive it. */
  void open() {
    close();
    watches.add(world.admin.watch("/api/v1/nodes", event -> note(event, "node  ")));
    watches.add(
        world.admin.watch(
            "/api/v1/namespaces/" + world.namespace + "/configmaps",
            event -> note(event, "record")));
  }

  private void note(JsonNode event, String what) {
    JsonNode object = event.path("object");
    JsonNode metadata = object.path("metadata");
    String name = metadata.path("name").asText();
    String content =
        what.equals("record") ? record(object) : World.labels(object) + " " + node(object);
    lines
        .computeIfAbsent(name, _ -> new ConcurrentLinkedQueue<>())
        .add(
            "%s %-8s %s rv %s uid %.4s %s"
                .formatted(
                    Instant.now(),
                    event.path("type").asText(),
                    what,
                    metadata.path("resourceVersion").asText(),
                    metadata.path("uid").asText(),
                    content));
  }

  private static String node(JsonNode node) {
    return World.taints(node)
        + " marker "
        + node.path("metadata").path("annotations").path("nodekeeper.dev/restored").asText("-");
  }

  private static String record(JsonNode map) {
    try {
      JsonNode record = World.JSON.readTree(map.path("data").path("record.json").asText());
      JsonNode state = World.JSON.readTree(map.path("data").path("state.json").asText());
      return record.path("labels")
          + " "
          + World.taints(World.JSON.createObjectNode().set("spec", record))
          + " generation %s of uid %.4s rv %s merged %s"
              .formatted(
                  state.path("generation"),
                  state.path("uid").asText(),
                  state.path("resourceVersion").asText(),
                  state.path("merged"));
    } catch (java.io.IOException e) {
      return e.getMessage();
    }
  }

  /** The last lines of that node. */
  String of(String node, int last) {
    List<String> all = List.copyOf(lines.getOrDefault(node, new ConcurrentLinkedQueue<>()));
    return "\n  " + String.join("\n  ", all.subList(Math.max(0, all.size() - last), all.size()));
  }

  @Override
  public void close() {
    watches.forEach(Watch::close);
    watches.clear();
  }
}
