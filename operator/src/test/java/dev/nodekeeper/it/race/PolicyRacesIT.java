package dev.nodekeeper.it.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Json;
import dev.nodekeeper.testbed.Machine;
import dev.nodekeeper.testbed.Patch;
import dev.nodekeeper.testbed.Taint;
import dev.nodekeeper.testbed.fault.Call;
import dev.nodekeeper.testbed.fault.Gate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Races with what others decide: kubelets, agents, controllers, settings")
final class PolicyRacesIT {
  private static final String NOT_READY = "node.kubernetes.io/not-ready=:NoSchedule";
  private final World world = new World();

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  /** Away, after it had a team, a reserved label and a taint. */
  private void away(Replica us, Machine machine) {
    world.register(machine);
    world.label("n1", "team", "a");
    world.label("n1", "node-role.kubernetes.io/gpu", "");
    world.taint("n1", "dedicated=x:NoSchedule");
    world.awaitRecordLabel("n1", "node-role.kubernetes.io/gpu", "");
    await().atMost(World.HANG).until(() -> world.record("n1").path("taints").size() == 1);
    us.settle();
    world.vanish("n1");
    us.settle();
    us.begin();
  }

  private static JsonNode body(Call call) {
    return Json.parse(call.body());
  }

  @Test
  @DisplayName(
      "R22 it turns out to be another machine while a restore is on its way: nothing reserved")
  void r22() {
    Replica us = new Replica(world, "--identity=provider");
    away(us, Machine.named("n1").withProviderId("cloud://machine-1"));
    Gate gate = us.holdPatch("n1");
    world.register("n1");
    gate.awaitArrived();
    assertThat(body(us.writes("n1").getFirst()).at("/metadata/labels")).hasSize(1);
    becomes("cloud://machine-2");
    gate.release();
    world.awaitLabel("n1", "team", "a");
    us.settle();
    assertThat(us.story("n1")).startsWith("PATCH 409").contains("PATCH 200");
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "a"));
    assertThat(world.taints("n1")).containsExactly("dedicated=x:NoSchedule");
    assertThat(world.record("n1").path("labels").has("node-role.kubernetes.io/gpu")).isTrue();
  }

  @Test
  @DisplayName("R22 it turns out to be the same machine: the reserved labels are given back too")
  void r22Same() {
    Replica us = new Replica(world, "--identity=provider");
    away(us, Machine.named("n1").withProviderId("cloud://machine-1"));
    Gate gate = us.holdPatch("n1");
    world.register("n1");
    gate.awaitArrived();
    becomes("cloud://machine-1");
    gate.release();
    world.awaitLabel("n1", "node-role.kubernetes.io/gpu", "");
    us.settle();
    assertThat(us.story("n1")).startsWith("PATCH 409").contains("PATCH 200");
    assertThat(world.labels("n1"))
        .isEqualTo(Map.of("team", "a", "node-role.kubernetes.io/gpu", ""));
  }

  private void becomes(String providerId) {
    String patch = "{\"spec\":{\"providerID\":\"" + providerId + "\"}}";
    world.admin.patch("/api/v1/nodes/n1", Patch.MERGE, patch).expect();
  }

  @Test
  @DisplayName(
      "R23 a machine returns under another name: the old record stays, the new name is bare")
  void r23() {
    Replica us = new Replica(world, "--identity=provider");
    away(us, Machine.named("n1").withProviderId("cloud://machine-1"));
    world.register(Machine.named("n2").withProviderId("cloud://machine-1"));
    us.settle();
    assertThat(us.story("n1")).isEmpty();
    assertThat(us.story("n2")).isEmpty();
    assertThat(world.labels("n2")).isEmpty();
    assertThat(world.hasRecord("n2")).isFalse();
    assertThat(world.record("n1").path("labels")).hasSize(2);
  }

  @Test
  @DisplayName(
      "R24 the kubelet registers with labels and taints of its own: one patch, as the rules say")
  void r24() {
    Replica us = new Replica(world);
    away(us, Machine.named("n1"));
    Gate gate = us.holdPatch("n1");
    world.register(
        Machine.named("n1")
            .withLabel("team", "kubelet")
            .withTaints(List.of(new Taint("dedicated", "tolerated", "NoSchedule"))));
    gate.awaitArrived();
    JsonNode patch = body(us.writes("n1").getFirst());
    assertThat(patch.at("/metadata/labels").has("team")).isFalse();
    assertThat(patch.at("/spec/taints").toString()).contains("\"value\":\"x\"");
    gate.release();
    world.awaitLabel("n1", "node-role.kubernetes.io/gpu", "");
    world.awaitRecordLabel("n1", "team", "kubelet");
    us.settle();
    assertThat(us.story("n1")).containsExactly("PATCH 200", "PUT 200");
    assertThat(world.labels("n1"))
        .isEqualTo(Map.of("team", "kubelet", "node-role.kubernetes.io/gpu", ""));
    assertThat(world.taints("n1")).containsExactly("dedicated=x:NoSchedule");
  }

  @Test
  @DisplayName(
      "R25 an agent removes its start-up taint under a restore of the whole list: gone it stays")
  void r25() {
    Replica us = new Replica(world);
    away(us, Machine.named("n1"));
    Gate gate = us.holdPatch("n1");
    world.register(
        Machine.named("n1")
            .withTaints(List.of(new Taint("node.cilium.io/agent-not-ready", "", "NoSchedule"))));
    gate.awaitArrived();
    assertThat(us.writes("n1").getFirst().body()).contains("agent-not-ready");
    world.taint("n1", NOT_READY);
    gate.release();
    world.awaitLabel("n1", "team", "a");
    us.settle();
    assertThat(us.story("n1")).containsExactly("PATCH 409", "PATCH 200");
    assertThat(World.allTaints(world.node("n1")))
        .containsExactly("dedicated=x:NoSchedule", NOT_READY);
    assertThat(world.record("n1").path("taints")).hasSize(1);
  }

  @Test
  @DisplayName(
      "R26 the taint list changes under two restores in a row: both refused, no taint is dropped")
  void r26() {
    Replica us = new Replica(world);
    away(us, Machine.named("n1"));
    Gate first = us.holdPatch("n1");
    Gate second = us.proxy().on(Replica.patchOf("n1")).nth(2).holdRequest();
    String unreachable = "node.kubernetes.io/unreachable=:NoExecute";
    String pressure = "node.kubernetes.io/disk-pressure=:NoSchedule";
    world.register("n1");
    first.awaitArrived();
    world.taint("n1", NOT_READY, unreachable);
    first.release();
    second.awaitArrived();
    world.taint("n1", NOT_READY, unreachable, pressure);
    second.release();
    world.awaitLabel("n1", "team", "a");
    us.settle();
    assertThat(us.story("n1")).containsExactly("PATCH 409", "PATCH 422", "PATCH 200");
    assertThat(World.allTaints(world.node("n1")))
        .containsExactlyInAnyOrder("dedicated=x:NoSchedule", NOT_READY, unreachable, pressure);
  }

  @Test
  @DisplayName(
      "R27 a key leaves our policy between capture and restore: withheld, kept, later given back")
  void r27() {
    Replica wide = new Replica(world);
    world.register("n1");
    world.label("n1", "keep.me/a", "1");
    world.label("n1", "leave.me/b", "1");
    world.awaitRecordLabel("n1", "leave.me/b", "1");
    wide.settle();
    wide.crash();
    world.vanish("n1");
    world.register("n1");
    Replica narrow = new Replica(world, "--label-prefix=keep.me/");
    world.awaitLabel("n1", "keep.me/a", "1");
    world.label("n1", "keep.me/a", "2");
    world.awaitRecordLabel("n1", "keep.me/a", "2");
    narrow.settle();
    assertThat(narrow.story("n1")).containsExactly("PATCH 200", "PUT 200");
    assertThat(world.labels("n1")).isEqualTo(Map.of("keep.me/a", "2"));
    assertThat(world.record("n1").path("labels").path("leave.me/b").asText()).isEqualTo("1");
    narrow.crash();
    Replica again = new Replica(world);
    world.awaitLabel("n1", "leave.me/b", "1");
    again.settle();
    assertThat(again.story("n1")).containsExactly("PATCH 200");
    assertThat(world.labels("n1")).isEqualTo(Map.of("keep.me/a", "2", "leave.me/b", "1"));
  }

  @Test
  @DisplayName("R32 cordoned before the deletion: cordoned again, its taint is the controller's")
  void r32() {
    Replica us = new Replica(world, "--keep=labels,taints,cordon");
    String cordoned = "node.kubernetes.io/unschedulable=:NoSchedule";
    world.register("n1");
    world.cordon("n1");
    world.taint("n1", cordoned);
    await().atMost(World.HANG).until(() -> world.record("n1").path("unschedulable").asBoolean());
    us.settle();
    world.vanish("n1");
    us.settle();
    us.begin();
    Gate gate = us.holdPatch("n1");
    world.register("n1");
    gate.awaitArrived();
    JsonNode patch = body(us.writes("n1").getFirst());
    assertThat(patch.at("/spec/unschedulable").asBoolean()).isTrue();
    assertThat(patch.at("/spec").has("taints")).isFalse();
    world.taint("n1", NOT_READY, cordoned);
    gate.release();
    await().atMost(World.HANG).until(() -> world.node("n1").at("/spec/unschedulable").asBoolean());
    us.settle();
    assertThat(us.story("n1")).containsExactly("PATCH 409", "PATCH 200");
    assertThat(World.allTaints(world.node("n1"))).containsExactly(NOT_READY, cordoned);
    assertThat(world.record("n1").path("taints")).isEmpty();
  }
}
