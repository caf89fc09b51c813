package dev.nodekeeper.it.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.fault.Call;
import dev.nodekeeper.testbed.fault.Frame;
import dev.nodekeeper.testbed.fault.Gate;
import dev.nodekeeper.testbed.fault.Match;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Races of two of us, both acting")
final class TwinRacesIT {
  private final World world = new World();
  private final Replica a = new Replica(world);
  private final Replica b = new Replica(world);

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  private void remembered() {
    a.remember("n1");
    b.settle();
    b.begin();
  }

  private static boolean shows(Frame frame, String team) {
    return frame.is("MODIFIED", "n1")
        && frame.object().path("metadata").path("labels").path("team").asText().equals(team);
  }

  @Test
  @DisplayName("R11 B sees an older state of the same life after A's capture: it writes nothing")
  void r11() {
    remembered();
    double records = b.heard("records", "modified");
    double nodes = b.heard("nodes", "modified");
    Gate older = b.holdNodes(frame -> shows(frame, "older"));
    Gate newer = b.holdNodes(frame -> shows(frame, "newer"));
    world.label("n1", "team", "older");
    world.label("n1", "team", "newer");
    world.awaitRecordLabel("n1", "team", "newer");
    older.awaitArrived();
    b.awaitHeard("records", "modified", records);
    await().atMost(World.HANG).until(() -> a.keeper().idle());
    older.release();
    newer.awaitArrived();
    b.awaitHeard("nodes", "modified", nodes);
    await().atMost(World.HANG).until(() -> b.keeper().idle());
    assertThat(b.story("n1")).isEmpty();
    newer.release();
    a.settle();
    b.settle();
    assertThat(b.story("n1")).isEmpty();
    assertThat(world.record("n1").path("labels").path("team").asText()).isEqualTo("newer");
    assertThat(world.labelOf("n1", "team")).isEqualTo("newer");
  }

  @Test
  @DisplayName("R12 B still believes in u1 when the record is u2's: its patch is refused, no more")
  void r12() {
    remembered();
    String u1 = world.node("n1").path("metadata").path("uid").asText();
    Gate gate = b.holdNodes(frame -> frame.is("DELETED", "n1"));
    world.vanish("n1");
    world.register("n1");
    world.awaitLabel("n1", "team", "a");
    world.label("n1", "team", "b");
    world.awaitRecordLabel("n1", "team", "b");
    await("B acts on what it sees")
        .atMost(World.HANG)
        .until(() -> !b.writes("n1").isEmpty() && b.writes("n1").getFirst().status() != 0);
    gate.awaitArrived();
    assertThat(b.writes("n1")).allMatch(call -> call.method().equals("PATCH"));
    assertThat(b.writes("n1")).allMatch(call -> call.body().contains(u1));
    assertThat(b.writes("n1")).allMatch(call -> call.status() == 409 || call.status() == 422);
    gate.release();
    a.settle();
    b.settle();
    assertThat(b.landed("n1")).isEmpty();
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "b", "rack", "r1"));
    assertThat(world.record("n1").path("labels").path("team").asText()).isEqualTo("b");
  }

  @Test
  @DisplayName("R13 the last state of u1 comes when the record is u2's: merged, u2 gets it as well")
  void r13() {
    remembered();
    Gate gate = b.holdNodes(frame -> frame.is("MODIFIED", "n1"));
    a.crash();
    world.label("n1", "late", "1");
    world.vanish("n1");
    world.register("n1");
    Replica next = new Replica(world);
    world.awaitLabel("n1", "team", "a");
    world.label("n1", "more", "1");
    world.awaitRecordLabel("n1", "more", "1");
    gate.awaitArrived();
    assertThat(world.record("n1").path("labels").has("late")).isFalse();
    assertThat(b.landed("n1")).isEmpty();
    gate.release();
    world.awaitLabel("n1", "late", "1");
    next.settle();
    b.settle();
    assertThat(b.landed("n1")).extracting(Call::method).contains("PUT");
    Map<String, String> all = Map.of("team", "a", "rack", "r1", "more", "1", "late", "1");
    assertThat(world.labels("n1")).isEqualTo(all);
    assertThat(world.record("n1").path("labels")).hasSize(4);
  }

  @Test
  @DisplayName("R13 the same with nothing touched in u1: settled without a write")
  void r13Untouched() {
    remembered();
    Gate gate = b.holdNodes(frame -> frame.is("DELETED", "n1"));
    Gate records = b.holdRecords(frame -> frame.name().equals("n1"));
    world.vanish("n1");
    world.register("n1");
    world.awaitLabel("n1", "team", "a");
    world.unlabel("n1", "rack");
    world.awaitRecordLabel("n1", "rack", null);
    gate.awaitArrived();
    records.awaitArrived();
    assertThat(b.writes("n1")).isEmpty();
    double heard = b.heard("records", "modified");
    records.release();
    b.awaitHeard("records", "modified", heard);
    gate.release();
    a.settle();
    b.settle();
    assertThat(b.landed("n1")).isEmpty();
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "a"));
    assertThat(world.record("n1").path("labels")).hasSize(1);
  }

  @Test
  @DisplayName("R14 both restore u2 at once: one lands, the other is refused and sees the marker")
  void r14() {
    a.rememberAndLose("n1");
    b.settle();
    b.begin();
    Gate first = a.holdPatch("n1");
    Gate second = b.holdPatch("n1");
    world.register("n1");
    first.awaitArrived();
    second.awaitArrived();
    first.release();
    await().atMost(World.HANG).until(() -> a.writes("n1").getFirst().status() != 0);
    second.release();
    await().atMost(World.HANG).until(() -> b.writes("n1").getFirst().status() != 0);
    a.settle();
    b.settle();
    assertThat(a.story("n1")).containsExactly("PATCH 200");
    assertThat(b.story("n1")).containsExactly("PATCH 409");
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "a", "rack", "r1"));
  }

  @Test
  @DisplayName("R15 A dies, B's record is older than A's last write: B reads it live, then acts")
  void r15() {
    remembered();
    Gate records = b.holdRecords(frame -> frame.name().equals("n1"));
    Gate put = b.holdPut("n1");
    world.label("n1", "team", "b");
    world.awaitRecordLabel("n1", "team", "b");
    put.awaitArrived();
    a.crash();
    world.vanish("n1");
    world.register("n1");
    put.release();
    world.awaitLabel("n1", "team", "b");
    records.awaitArrived();
    assertThat(b.story("n1")).containsExactly("PUT 409", "PATCH 200");
    assertThat(b.proxy().journal(Match.get(world.recordPath("n1"))))
        .extracting(Call::status)
        .contains(200);
    records.release();
    b.settle();
    assertThat(b.story("n1")).containsExactly("PUT 409", "PATCH 200");
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "b", "rack", "r1"));
  }
}
