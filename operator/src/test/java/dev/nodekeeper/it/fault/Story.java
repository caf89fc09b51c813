package dev.nodekeeper.it.fault;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.it.World;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * The same life for every crash: each step waits until it has had its effect, so that whoever does
 * it, and however often it died, the end is the same.
 */
final class Story {
  private final World world;

  Story(World world) {
    this.world = world;
  }

  /** Plays it and tells how it ended: every node and every record. */
  Map<String, String> play() {
    captured();
    returned();
    editedOnReturn();
    editedByHand();
    forgotten();
    emptied();
    fence("last");
    return end();
  }

  private void captured() {
    world.register("n1");
    world.label("n1", "team", "a");
    recorded("n1", "team", "a");
    world.taint("n1", "dedicated=a:NoSchedule");
    world.label("n1", "extra", "1");
    recorded("n1", "extra", "1");
    until("the taint in the record", () -> world.record("n1").toString().contains("dedicated"));
  }

  private void returned() {
    world.vanish("n1");
    world.register("n1");
    labelled("n1", "extra", "1");
    world.unlabel("n1", "extra");
    recorded("n1", "extra", null);
  }

  private void editedOnReturn() {
    world.vanish("n1");
    world.register("n1");
    world.label("n1", "team", "b");
    recorded("n1", "team", "b");
    until("the taint is back", () -> !world.taints("n1").isEmpty());
  }

  private void editedByHand() {
    world.editRecord("n1", record -> labels(record).put("rack", "7").put("team", "hand"));
    labelled("n1", "rack", "7");
    labelled("n1", "team", "hand");
    world.vanish("n1");
    fence("away");
    world.editRecord("n1", record -> labels(record).put("colour", "blue").remove("rack"));
    world.register("n1");
    labelled("n1", "colour", "blue");
  }

  private void forgotten() {
    world.register("n2");
    world.label("n2", "team", "n2");
    recorded("n2", "team", "n2");
    world.vanish("n2");
    // Forgetting is for nodes that are known to be away.
    fence("gone");
    world.admin.delete(world.recordPath("n2")).expect();
    // Events of records come in order too: when this edit is obeyed, the deletion was seen.
    world.editRecord("fence", record -> labels(record).put("fence", "forgot"));
    labelled("fence", "fence", "forgot");
    world.register("n2");
  }

  private void emptied() {
    world.register("n3");
    world.label("n3", "team", "n3");
    recorded("n3", "team", "n3");
    world.unlabel("n3", "team");
    until("the empty record goes", () -> !world.hasRecord("n3"));
  }

  /** Events of nodes come in order: when this one is recorded, all before it were seen. */
  private void fence(String value) {
    if (!world.admin.get("/api/v1/nodes/fence").ok()) {
      world.register("fence");
    }
    world.label("fence", "fence", value);
    recorded("fence", "fence", value);
  }

  private static ObjectNode labels(ObjectNode record) {
    return (ObjectNode) record.path("labels");
  }

  private void recorded(String node, String key, String value) {
    until(
        "record of " + node + " has " + key + "=" + value,
        () ->
            !world.record(node).isMissingNode()
                && Objects.equals(world.record(node).path("labels").path(key).asText(null), value));
  }

  private void labelled(String node, String key, String value) {
    until(node + " has " + key + "=" + value, () -> value.equals(world.labelOf(node, key)));
  }

  private static void until(String what, BooleanSupplier condition) {
    await(what).atMost(World.HANG).until(condition::getAsBoolean);
  }

  private Map<String, String> end() {
    Map<String, String> end = new TreeMap<>();
    for (JsonNode node : world.admin.list("/api/v1/nodes")) {
      end.put(
          "node " + node.path("metadata").path("name").asText(),
          World.labels(node) + " " + World.taints(node));
    }
    for (JsonNode map : world.admin.list("/api/v1/namespaces/" + world.namespace + "/configmaps")) {
      String name = map.path("metadata").path("name").asText();
      ObjectNode record = (ObjectNode) world.record(name);
      record.remove("capturedAt");
      end.put("record " + name, record.toString());
    }
    return end;
  }
}
