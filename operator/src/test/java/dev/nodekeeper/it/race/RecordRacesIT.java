package dev.nodekeeper.it.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.fault.Gate;
import dev.nodekeeper.testbed.fault.Match;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Races of our writes with people who touch the record")
final class RecordRacesIT {
  private final World world = new World();
  private final Replica us = new Replica(world, "--empty-grace=1s");

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  private void deleteRecord() {
    world.admin.delete(world.recordPath("n1")).expect();
  }

  private void byHand(String key, String value) {
    world.editRecord("n1", record -> ((ObjectNode) record.get("labels")).put(key, value));
  }

  @Test
  @DisplayName("R17 deleted under our capture while the node lives: 404, then made anew from it")
  void r17() {
    us.remember("n1");
    Gate gate = us.holdPut("n1");
    world.label("n1", "team", "b");
    gate.awaitArrived();
    deleteRecord();
    gate.release();
    world.awaitRecordLabel("n1", "team", "b");
    us.settle();
    assertThat(us.story("n1")).containsExactly("PUT 404", "POST 201");
    assertThat(world.record("n1").path("labels")).hasSize(2);
  }

  @Test
  @DisplayName("R18 deleted under our capture while the node is away: final, nothing comes back")
  void r18() {
    us.remember("n1");
    Gate gate = us.holdPut("n1");
    world.label("n1", "team", "b");
    world.vanish("n1");
    gate.awaitArrived();
    Gate deletion = us.holdRecords(frame -> frame.is("DELETED", "n1"));
    deleteRecord();
    deletion.awaitArrived();
    gate.release();
    await("we look, and find none")
        .atMost(World.HANG)
        .until(() -> us.proxy().count(Match.get(world.recordPath("n1"))) > 0);
    assertThat(us.story("n1")).containsExactly("PUT 404");
    deletion.release();
    us.settle();
    assertThat(us.story("n1")).containsExactly("PUT 404");
    world.register("n1");
    us.settle();
    assertThat(us.story("n1")).containsExactly("PUT 404");
    assertThat(world.hasRecord("n1")).isFalse();
    assertThat(world.labels("n1")).isEmpty();
  }

  @Test
  @DisplayName("R19 edited by hand under our capture of a living node: refused, both are obeyed")
  void r19Alive() {
    us.remember("n1");
    Gate gate = us.holdPut("n1");
    world.label("n1", "team", "b");
    gate.awaitArrived();
    byHand("hand", "1");
    gate.release();
    world.awaitLabel("n1", "hand", "1");
    world.awaitRecordLabel("n1", "team", "b");
    us.settle();
    assertThat(us.story("n1")).startsWith("PUT 409").contains("PATCH 200");
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "b", "rack", "r1", "hand", "1"));
    assertThat(world.record("n1").path("labels")).hasSize(3);
  }

  @Test
  @DisplayName(
      "R19 edited by hand while a restore of the version before is on its way: restored again")
  void r19Away() {
    us.rememberAndLose("n1");
    Gate gate = us.holdPatch("n1");
    world.register("n1");
    gate.awaitArrived();
    byHand("rack", "r2");
    gate.release();
    world.awaitLabel("n1", "rack", "r2");
    us.settle();
    assertThat(us.story("n1")).containsExactly("PATCH 200", "PUT 200", "PATCH 200");
    assertThat(us.writes("n1").getFirst().body()).contains("\"rack\":\"r1\"");
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "a", "rack", "r2"));
  }

  @Test
  @DisplayName("R20 broken while a restore is on its way: nothing applied, nothing overwritten")
  void r20() {
    us.rememberAndLose("n1");
    Gate gate = us.holdPatch("n1");
    world.register("n1");
    gate.awaitArrived();
    double before = us.heard("records", "modified");
    String broken = "{\"labels\": {\"team\": ";
    world.writeRecord("n1", broken);
    us.awaitHeard("records", "modified", before);
    world.label("n1", "new", "1");
    gate.release();
    us.settle();
    assertThat(us.story("n1")).containsExactly("PATCH 409");
    assertThat(world.labels("n1")).isEqualTo(Map.of("new", "1"));
    var map = world.admin.get(world.recordPath("n1")).expect();
    assertThat(map.path("data").path("record.json").asText()).isEqualTo(broken);
    // Corrected, it is obeyed, and the person's label stands.
    world.writeRecord("n1", "{\"node\": \"n1\", \"labels\": {\"team\": \"fixed\"}}");
    world.awaitLabel("n1", "team", "fixed");
    us.settle();
    assertThat(world.labels("n1")).isEqualTo(Map.of("new", "1", "team", "fixed"));
  }

  @Test
  @DisplayName("R28 an empty record gets content while our clean-up is on its way: it is kept")
  void r28() {
    us.remember("n1");
    Gate gate = us.proxy().on(us.deleteOf("n1")).first().holdRequest();
    world.unlabel("n1", "team");
    world.unlabel("n1", "rack");
    world.awaitRecordLabel("n1", "rack", null);
    world.vanish("n1");
    gate.awaitArrived();
    byHand("team", "hand");
    world.register("n1");
    gate.release();
    world.awaitLabel("n1", "team", "hand");
    us.settle();
    assertThat(us.story("n1")).contains("DELETE 409").doesNotContain("DELETE 200");
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "hand"));
    assertThat(world.record("n1").path("labels").path("team").asText()).isEqualTo("hand");
  }
}
