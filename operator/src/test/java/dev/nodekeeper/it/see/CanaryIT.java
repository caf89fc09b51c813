package dev.nodekeeper.it.see;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.it.RunProcess;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is in an annotation")
final class CanaryIT {
  /** In every value that people write here. */
  private static final String CANARY = "canary-7f3a9c";

  private final World world = new World();

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  @Test
  @DisplayName("is in no log line, event or metric, whatever happens to it")
  void silent() throws Exception {
    int port = Ports.one();
    RunProcess.start(
        world,
        "--http-port=" + port,
        "--log-level=debug",
        "--log-format=json",
        "--keep=labels,taints,annotations");
    world.register("canary-1");
    world.annotate("canary-1", "note", CANARY + "-1");
    awaitRecorded("canary-1", CANARY + "-1");
    world.annotate("canary-1", "note", CANARY + "-2");
    awaitRecorded("canary-1", CANARY + "-2");
    world.vanish("canary-1");
    world.register("canary-1");
    await("restored")
        .atMost(World.HANG)
        .until(
            () ->
                world
                    .node("canary-1")
                    .at("/metadata/annotations/note")
                    .asText()
                    .equals(CANARY + "-2"));

    // More than fits into a record, in signs that are long there.
    world.register("canary-3");
    world.annotate("canary-3", "huge", CANARY + "\u0001".repeat(200_000));
    world.label("canary-3", "team", "a");
    awaitTold("RecordTrimmed");

    // Entries that no node can take, and a node that is full already.
    world.vanish("canary-1");
    world.editRecord(
        "canary-1",
        record -> {
          ObjectNode annotations = (ObjectNode) record.path("annotations");
          annotations.put("no key!", CANARY + "-3");
          annotations.put("big", CANARY + "x".repeat(200_000));
        });
    awaitTold("RecordOdd");
    ObjectNode full = World.object("Node", "canary-1");
    ((ObjectNode) full.path("metadata")).putObject("annotations").put("full", "y".repeat(100_000));
    world.admin.create("/api/v1/nodes", full).expect();
    awaitTold("KeysWithheld");

    // No record at all.
    world.register("canary-2");
    world.annotate("canary-2", "note", CANARY + "-4");
    awaitRecorded("canary-2", CANARY + "-4");
    world.writeRecord(
        "canary-2", "{\"annotations\": {\"note\": \"" + CANARY + "\" \"" + CANARY + "\"");
    world.annotate("canary-2", "note", CANARY + "-5");
    awaitTold("RecordUnreadable");

    List<JsonNode> lines = lines();
    assertThat(events().map(JsonNode::toString).collect(Collectors.joining()))
        .contains("\"Restored\"", "RecordUnreadable")
        .doesNotContain(CANARY);
    assertThat(lines.toString()).contains("Captured").doesNotContain(CANARY);
    assertThat(Scrape.text(port)).contains("nodekeeper_").doesNotContain(CANARY);
    fields(lines);
    event();
  }

  /** Each line that tells of a write has node and version as fields. */
  private static void fields(List<JsonNode> lines) {
    List<JsonNode> writes =
        lines.stream()
            .filter(line -> List.of("Captured", "Restored").contains(line.path("reason").asText()))
            .toList();
    assertThat(writes).isNotEmpty();
    for (JsonNode line : writes) {
      assertThat(line.path("node").asText()).isNotEmpty();
      assertThat(line.path("version").asLong()).isPositive();
      assertThat(line.path("message").asText()).contains("version");
    }
    JsonNode restored =
        writes.stream()
            .filter(line -> line.path("reason").asText().equals("Restored"))
            .findFirst()
            .orElseThrow();
    assertThat(restored.path("uid").asText()).isNotEqualTo(restored.path("was").asText());
  }

  /** On the node: which life got what from which. */
  private void event() {
    JsonNode restored =
        events()
            .filter(event -> event.path("reason").asText().equals("Restored"))
            .filter(event -> event.at("/involvedObject/name").asText().equals("canary-1"))
            .findFirst()
            .orElseThrow();
    assertThat(restored.path("type").asText()).isEqualTo("Normal");
    assertThat(restored.path("message").asText())
        .matches("annotations: 1 \\(record version \\d+, life \\S+ -> \\S+\\)");
  }

  private void awaitRecorded(String node, String value) {
    await("recorded " + value)
        .atMost(World.HANG)
        .until(() -> world.record(node).path("annotations").path("note").asText().equals(value));
  }

  private void awaitTold(String reason) {
    await(reason)
        .atMost(World.HANG)
        .until(
            () -> lines().stream().anyMatch(line -> line.path("reason").asText().equals(reason)));
    await("event " + reason)
        .atMost(World.HANG)
        .until(() -> events().anyMatch(event -> event.path("reason").asText().equals(reason)));
  }

  /** Those on our nodes: all suites share the place where events are. */
  private Stream<JsonNode> events() {
    return world.admin.list("/api/v1/namespaces/default/events").stream()
        .filter(event -> event.at("/involvedObject/name").asText().startsWith("canary-"));
  }

  private List<JsonNode> lines() throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    Path log = Path.of("target", "run-" + world.namespace + ".log");
    for (String line : Files.readAllLines(log)) {
      if (line.startsWith("{") && line.endsWith("}")) {
        lines.add(World.JSON.readTree(line));
      } else {
        // What is not ours, such as a warning of the JVM: looked at as well.
        lines.add(World.JSON.getNodeFactory().textNode(line));
      }
    }
    return lines;
  }
}
