package dev.nodekeeper.it.see;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.it.World;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What the panels ask Prometheus. */
final class Dashboard {
  private static final Path FILE = Path.of("..", "deploy", "grafana", "nodekeeper.json");

  private Dashboard() {}

  static List<String> queries() throws IOException {
    return World.JSON.readTree(FILE.toFile()).path("panels").findParents("expr").stream()
        .map((JsonNode target) -> target.path("expr").asText())
        .toList();
  }
}
