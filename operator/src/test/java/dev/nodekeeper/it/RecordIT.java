package dev.nodekeeper.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.testbed.Machine;
import dev.nodekeeper.testbed.Patch;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A record is a person's to read, edit, break and delete")
final class RecordIT {
  private final World world = new World();

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  private void away(String node) {
    world.register(node);
    world.label(node, "team", "a");
    world.label(node, "rack", "r1");
    world.awaitRecordLabel(node, "rack", "r1");
    world.vanish(node);
  }

  @Test
  @DisplayName("edited while the node is away: obeyed when it returns")
  void editedWhileAway() {
    Running keeper = world.keeper();
    away("n1");
    world.settle(keeper);
    world.editRecord(
        "n1",
        record ->
            ((ObjectNode) record.get("labels")).put("team", "b").put("new", "1").remove("rack"));
    world.register("n1");
    world.awaitLabel("n1", "new", "1");
    world.settle(keeper);
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "b", "new", "1"));
  }

  @Test
  @DisplayName("edited while the node lives: obeyed on the living node, removals too")
  void editedWhileAlive() {
    Running keeper = world.keeper();
    world.register("n1");
    world.label("n1", "team", "a");
    world.label("n1", "rack", "r1");
    world.taint("n1", "dedicated=x:NoSchedule");
    world.awaitRecordLabel("n1", "rack", "r1");
    world.settle(keeper);
    for (int edit = 0; edit < 5; edit++) {
      String value = "edit-" + edit;
      world.editRecord(
          "n1",
          record -> {
            ((ObjectNode) record.get("labels")).put("team", value).remove("rack");
            record.putArray("taints");
          });
      world.awaitLabel("n1", "team", value);
    }
    world.settle(keeper);
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "edit-4"));
    assertThat(world.taints("n1")).isEmpty();
  }

  @Test
  @DisplayName("edited while we were down: obeyed when we start, on a living node")
  void editedWhileDown() {
    Running keeper = world.keeper();
    world.register("n1");
    world.label("n1", "team", "a");
    world.label("n1", "rack", "r1");
    world.awaitRecordLabel("n1", "rack", "r1");
    world.settle(keeper);
    world.stop(keeper);
    world.editRecord(
        "n1", record -> ((ObjectNode) record.get("labels")).put("team", "b").remove("rack"));
    Running again = world.keeper();
    world.awaitLabel("n1", "team", "b");
    world.settle(again);
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "b"));
  }

  @Test
  @DisplayName("deleted while the node is away: final")
  void deletedWhileAway() {
    Running keeper = world.keeper();
    away("n1");
    world.settle(keeper);
    world.admin.delete(world.recordPath("n1")).expect();
    world.settle(keeper);
    assertThat(world.hasRecord("n1")).isFalse();
    world.register("n1");
    world.settle(keeper);
    assertThat(world.labels("n1")).isEmpty();
    assertThat(world.hasRecord("n1")).isFalse();
  }

  @Test
  @DisplayName("deleted while the node lives: written again, the node is authoritative")
  void deletedWhileAlive() {
    world.keeper();
    world.register("n1");
    world.label("n1", "team", "a");
    world.awaitRecordLabel("n1", "team", "a");
    world.admin.delete(world.recordPath("n1")).expect();
    world.awaitRecordLabel("n1", "team", "a");
  }

  @Test
  @DisplayName(
      "broken before the node returns: nothing applied, nothing overwritten, event, others served")
  void broken() {
    Running keeper = world.keeper();
    away("n1");
    world.settle(keeper);
    String broken = "{\"labels\": {\"team\": ";
    world.writeRecord("n1", broken);
    world.register("n1");
    world.label("n1", "new", "1");
    world.settle(keeper);
    assertThat(world.labels("n1")).isEqualTo(Map.of("new", "1"));
    assertThat(
            world
                .admin
                .get(world.recordPath("n1"))
                .expect()
                .path("data")
                .path("record.json")
                .asText())
        .isEqualTo(broken);
    await("an event on the node")
        .atMost(World.HANG)
        .until(
            () ->
                world.admin.list("/api/v1/namespaces/default/events").stream()
                    .anyMatch(
                        event ->
                            event.path("involvedObject").path("name").asText().equals("n1")
                                && event.path("reason").asText().equals("RecordUnreadable")));
    // Corrected, it is obeyed.
    world.writeRecord("n1", "{\"node\": \"n1\", \"labels\": {\"team\": \"fixed\"}}");
    world.awaitLabel("n1", "team", "fixed");
    assertThat(world.labelOf("n1", "new")).isEqualTo("1");
  }

  @Test
  @DisplayName("bad keys in it are skipped one by one, never the rest, and stay in the record")
  void badKeys() {
    Running keeper = world.keeper();
    away("n1");
    world.settle(keeper);
    world.editRecord(
        "n1",
        record -> {
          ObjectNode labels = (ObjectNode) record.get("labels");
          labels.put("bad key!", "1").put("long", "v".repeat(64)).put("good", "1");
          record.putArray("taints").addObject().put("key", "x").put("effect", "Never");
        });
    world.register("n1");
    world.awaitLabel("n1", "good", "1");
    world.label("n1", "more", "1");
    world.awaitRecordLabel("n1", "more", "1");
    world.settle(keeper);
    assertThat(world.labels("n1"))
        .isEqualTo(Map.of("team", "a", "rack", "r1", "good", "1", "more", "1"));
    assertThat(world.record("n1").path("labels").has("bad key!")).isTrue();
    assertThat(world.record("n1").path("taints")).hasSize(1);
  }

  @Test
  @DisplayName("made by hand for a node that never was: obeyed when it registers")
  void preSeeded() {
    world.keeper();
    ObjectNode map = World.object("ConfigMap", "n1");
    map.putObject("data")
        .put(
            "record.json",
            "{\"labels\": {\"team\": \"seed\", \"node-role.kubernetes.io/gpu\": \"\"},"
                + " \"taints\": [{\"key\": \"dedicated\", \"effect\": \"NoSchedule\"}]}");
    world.admin.create("/api/v1/namespaces/" + world.namespace + "/configmaps", map).expect();
    world.register("n1");
    world.awaitLabel("n1", "team", "seed");
    assertThat(world.labels("n1")).containsKey("node-role.kubernetes.io/gpu");
    assertThat(world.taints("n1")).containsExactly("dedicated=:NoSchedule");
  }

  @Test
  @DisplayName("a foreign ConfigMap with the node's name is left alone")
  void foreign() {
    Running keeper = world.keeper();
    ObjectNode map = World.object("ConfigMap", "n1");
    map.putObject("data").put("theirs", "1");
    world.admin.create("/api/v1/namespaces/" + world.namespace + "/configmaps", map).expect();
    world.register("n1");
    world.label("n1", "team", "a");
    world.settle(keeper);
    assertThat(world.admin.get(world.recordPath("n1")).expect().path("data").toString())
        .isEqualTo("{\"theirs\":\"1\"}");
  }

  @Test
  @DisplayName("what others put on the ConfigMap survives our writes")
  void foreignParts() {
    world.keeper();
    world.register("n1");
    world.label("n1", "team", "a");
    world.awaitRecordLabel("n1", "team", "a");
    world
        .admin
        .patch(
            world.recordPath("n1"),
            Patch.MERGE,
            "{\"metadata\":{\"labels\":{\"theirs\":\"1\"},\"annotations\":{\"note\":\"x\"}},"
                + "\"data\":{\"other\":\"kept\"}}")
        .expect();
    world.editRecord("n1", record -> record.put("comment", "a person's field"));
    world.label("n1", "team", "b");
    world.awaitRecordLabel("n1", "team", "b");
    var map = world.admin.get(world.recordPath("n1")).expect();
    assertThat(map.path("metadata").path("labels").path("theirs").asText()).isEqualTo("1");
    assertThat(map.path("metadata").path("annotations").path("note").asText()).isEqualTo("x");
    assertThat(map.path("data").path("other").asText()).isEqualTo("kept");
    assertThat(world.record("n1").path("comment").asText()).isEqualTo("a person's field");
  }

  @Test
  @DisplayName(
      "another machine under the old name gets plain labels and taints, not the reserved ones")
  void identity() {
    Running keeper = world.keeper("--identity=provider");
    Machine right = Machine.named("n1").withProviderId("cloud://machine-1");
    world.register(right);
    world.label("n1", "team", "a");
    world.label("n1", "node-role.kubernetes.io/gpu", "");
    world.label("n1", "x.node-restriction.kubernetes.io/secure", "yes");
    world.taint("n1", "dedicated=x:NoSchedule");
    world.awaitRecordLabel("n1", "x.node-restriction.kubernetes.io/secure", "yes");
    world.settle(keeper);
    world.vanish("n1");
    world.register(Machine.named("n1").withProviderId("cloud://machine-2"));
    world.awaitLabel("n1", "team", "a");
    world.label("n1", "team", "b");
    world.awaitRecordLabel("n1", "team", "b");
    world.settle(keeper);
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "b"));
    assertThat(world.taints("n1")).containsExactly("dedicated=x:NoSchedule");
    assertThat(world.record("n1").path("labels").has("node-role.kubernetes.io/gpu")).isTrue();
    world.vanish("n1");
    world.register(right);
    world.awaitLabel("n1", "x.node-restriction.kubernetes.io/secure", "yes");
    assertThat(world.labels("n1"))
        .isEqualTo(
            Map.of(
                "team", "b",
                "node-role.kubernetes.io/gpu", "",
                "x.node-restriction.kubernetes.io/secure", "yes"));
  }
}
