package dev.nodekeeper.it.fault;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.it.World;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** All nodes and records at one moment, in two requests whatever their number. */
record Look(Map<String, JsonNode> nodes, Map<String, JsonNode> maps) {

  static Look at(World world) {
    return new Look(
        byName(world, "/api/v1/nodes"),
        byName(world, "/api/v1/namespaces/" + world.namespace + "/configmaps"));
  }

  private static Map<String, JsonNode> byName(World world, String path) {
    Map<String, JsonNode> all = new HashMap<>();
    world
        .admin
        .list(path)
        .forEach(object -> all.put(object.path("metadata").path("name").asText(), object));
    return all;
  }

  JsonNode node(String name) {
    return nodes.getOrDefault(name, World.JSON.missingNode());
  }

  /** What people read: record.json. */
  JsonNode record(String name) {
    JsonNode map = maps.get(name);
    try {
      return map == null
          ? World.JSON.missingNode()
          : World.JSON.readTree(map.path("data").path("record.json").asText());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static Map<String, String> labels(JsonNode record) {
    Map<String, String> labels = new TreeMap<>();
    record.path("labels").properties().forEach(e -> labels.put(e.getKey(), e.getValue().asText()));
    return labels;
  }
}
