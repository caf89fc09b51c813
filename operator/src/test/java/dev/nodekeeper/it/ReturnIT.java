package dev.nodekeeper.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.testbed.Machine;
import dev.nodekeeper.testbed.Taint;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What people put on a node survives its deletion")
final class ReturnIT {
  private final World world = new World();

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  @Test
  @DisplayName("labels and taints come back, exactly, with one life after another")
  void labelsAndTaints() {
    world.keeper();
    world.register("n1");
    world.label("n1", "team.example/owner", "vision");
    world.label("n1", "empty", "");
    world.label("n1", "node-role.kubernetes.io/gpu", "");
    world.taint("n1", "dedicated=vision:NoSchedule", "drain=:NoExecute");
    for (int life = 0; life < 3; life++) {
      world.awaitRecordLabel("n1", "node-role.kubernetes.io/gpu", "");
      await().atMost(World.HANG).until(() -> world.record("n1").path("taints").size() == 2);
      world.vanish("n1");
      world.register("n1");
      world.awaitLabel("n1", "team.example/owner", "vision");
      assertThat(world.labels("n1"))
          .isEqualTo(
              Map.of(
                  "team.example/owner", "vision", "empty", "", "node-role.kubernetes.io/gpu", ""));
      assertThat(world.taints("n1"))
          .containsExactly("dedicated=vision:NoSchedule", "drain=:NoExecute");
    }
  }

  @Test
  @DisplayName("what was changed, removed or added before the deletion is what comes back")
  void lastStateCounts() {
    Running keeper = world.keeper();
    world.register("n1");
    world.label("n1", "changed", "1");
    world.label("n1", "removed", "1");
    world.awaitRecordLabel("n1", "removed", "1");
    world.label("n1", "changed", "2");
    world.unlabel("n1", "removed");
    world.label("n1", "added", "1");
    world.vanish("n1");
    world.register("n1");
    world.awaitLabel("n1", "added", "1");
    world.settle(keeper);
    assertThat(world.labels("n1")).isEqualTo(Map.of("changed", "2", "added", "1"));
  }

  @Test
  @DisplayName("a node with nothing to keep returns with nothing, and carries no trace of us")
  void nothingToKeep() {
    Running keeper = world.keeper();
    for (int life = 0; life < 2; life++) {
      world.register("bare");
      world.settle(keeper);
      var metadata = world.node("bare").path("metadata");
      assertThat(world.labels("bare")).isEmpty();
      assertThat(metadata.path("finalizers").isMissingNode()).isTrue();
      assertThat(metadata.path("annotations").toString()).doesNotContain("nodekeeper");
      assertThat(world.hasRecord("bare")).isFalse();
      world.vanish("bare");
    }
  }

  @Test
  @DisplayName("a label that the returning node already has is not overwritten")
  void nodeWins() {
    Running keeper = world.keeper();
    remember("n1", "pool", "old");
    world.register(Machine.named("n1").withLabel("pool", "new"));
    world.awaitLabel("n1", "other", "kept");
    world.settle(keeper);
    assertThat(world.labelOf("n1", "pool")).isEqualTo("new");
    world.awaitRecordLabel("n1", "pool", "new");
  }

  @Test
  @DisplayName("--on-conflict record overwrites it")
  void recordWins() {
    Running keeper = world.keeper("--on-conflict=record");
    remember("n1", "pool", "old");
    world.register(Machine.named("n1").withLabel("pool", "new"));
    world.awaitLabel("n1", "pool", "old");
    world.settle(keeper);
    assertThat(world.record("n1").path("labels").path("pool").asText()).isEqualTo("old");
  }

  private void remember(String node, String key, String value) {
    world.register(node);
    world.label(node, "other", "kept");
    world.label(node, key, value);
    world.awaitRecordLabel(node, key, value);
    world.vanish(node);
  }

  @Test
  @DisplayName(
      "a node that registers with its quarantine taint's key and a weaker value gets the record's")
  void quarantine() {
    world.keeper();
    world.register("n1");
    world.taint("n1", "quarantine=strict:NoSchedule");
    await().atMost(World.HANG).until(() -> world.record("n1").path("taints").size() == 1);
    world.vanish("n1");
    world.register(
        Machine.named("n1")
            .withTaints(List.of(new Taint("quarantine", "tolerated", "NoSchedule"))));
    await()
        .atMost(World.HANG)
        .untilAsserted(
            () -> assertThat(world.taints("n1")).containsExactly("quarantine=strict:NoSchedule"));
  }

  @Test
  @DisplayName("what was removed stays removed; an emptied record is deleted after its grace time")
  void emptied() {
    Running keeper = world.keeper("--empty-grace=1s");
    world.register("n1");
    world.label("n1", "team", "a");
    world.awaitRecordLabel("n1", "team", "a");
    world.unlabel("n1", "team");
    world.awaitRecordLabel("n1", "team", null);
    await().atMost(World.HANG).until(() -> !world.hasRecord("n1"));
    world.vanish("n1");
    world.register("n1");
    world.settle(keeper);
    assertThat(world.labels("n1")).isEmpty();
    assertThat(world.node("n1").path("metadata").path("annotations").toString())
        .doesNotContain("nodekeeper");
  }

  @Test
  @DisplayName("annotations and cordon are kept where they are asked for")
  void annotationsAndCordon() {
    world.keeper("--keep=labels,taints,annotations,cordon");
    world.register("n1");
    world.annotate("n1", "example.com/rack", "r-7 \"quoted\" \u00fc");
    world.cordon("n1");
    await()
        .atMost(World.HANG)
        .until(
            () ->
                world.record("n1").path("unschedulable").asBoolean()
                    && world.record("n1").path("annotations").has("example.com/rack"));
    world.vanish("n1");
    world.register("n1");
    await()
        .atMost(World.HANG)
        .until(() -> world.node("n1").path("spec").path("unschedulable").asBoolean());
    assertThat(
            world.node("n1").path("metadata").path("annotations").path("example.com/rack").asText())
        .isEqualTo("r-7 \"quoted\" \u00fc");
  }

  @Test
  @DisplayName(
      "keys with slashes, 63 and 253 characters, a 253-character name, a.b beside a-b: exact")
  void shapes() {
    world.keeper();
    String longName = ("n".repeat(60) + ".").repeat(4) + "n".repeat(9);
    assertThat(longName).hasSize(253);
    String longKey = ("p".repeat(61) + ".").repeat(4) + "p".repeat(5) + "/" + "k".repeat(63);
    assertThat(longKey.indexOf('/')).isEqualTo(253);
    Map<String, String> wanted =
        Map.of(longKey, "v".repeat(63), "a.b/c-SLASH-d", "x", "a_b", "", "UPPER", "Mixed.1_2-3");
    List<String> names = List.of(longName, "a.b", "a-b");
    for (String name : names) {
      world.create(name);
      wanted.forEach((key, value) -> world.label(name, key, value));
      world.label(name, "me", name.substring(0, 3).replace("nnn", "long"));
    }
    for (String name : names) {
      await().atMost(World.HANG).until(() -> world.record(name).path("labels").size() == 5);
      world.vanish(name);
      world.create(name);
    }
    for (String name : names) {
      world.awaitLabel(name, "me", name.substring(0, 3).replace("nnn", "long"));
      assertThat(world.labels(name)).containsAllEntriesOf(wanted).hasSize(5);
    }
  }

  @Test
  @DisplayName("with --label-prefix only such labels are kept, and taints as ever")
  void prefix() {
    Running keeper = world.keeper("--label-prefix=keep.me/", "--label-prefix=also.me/");
    world.register("n1");
    world.label("n1", "keep.me/a", "1");
    world.label("n1", "also.me/b", "1");
    world.label("n1", "leave.me/c", "1");
    world.taint("n1", "dedicated=x:NoSchedule");
    world.awaitRecordLabel("n1", "also.me/b", "1");
    world.settle(keeper);
    world.vanish("n1");
    world.register("n1");
    world.awaitLabel("n1", "keep.me/a", "1");
    assertThat(world.labels("n1")).isEqualTo(Map.of("keep.me/a", "1", "also.me/b", "1"));
    assertThat(world.taints("n1")).containsExactly("dedicated=x:NoSchedule");
  }

  @Test
  @DisplayName("machine facts and passing taints are never kept, restored or removed")
  void factsAndPassingTaints() {
    Running keeper = world.keeper();
    world.register("n1");
    world.label("n1", "topology.kubernetes.io/zone", "z1");
    world.label("n1", "team", "a");
    world.taint("n1", "node.kubernetes.io/unreachable=:NoExecute", "dedicated=x:NoSchedule");
    world.awaitRecordLabel("n1", "team", "a");
    world.settle(keeper);
    assertThat(world.record("n1").toString()).doesNotContain("zone").doesNotContain("unreachable");
    world.vanish("n1");
    world.register(
        Machine.named("n1")
            .withLabel("topology.kubernetes.io/zone", "z2")
            .withTaints(
                List.of(
                    new Taint("node.kubernetes.io/not-ready", "", "NoSchedule"),
                    new Taint("node.cilium.io/agent-not-ready", "", "NoSchedule"))));
    world.awaitLabel("n1", "team", "a");
    assertThat(world.labelOf("n1", "topology.kubernetes.io/zone")).isEqualTo("z2");
    assertThat(World.allTaints(world.node("n1")))
        .containsExactly(
            "dedicated=x:NoSchedule",
            "node.cilium.io/agent-not-ready=:NoSchedule",
            "node.kubernetes.io/not-ready=:NoSchedule");
  }

  @Test
  @DisplayName("a node that went and came while we were down is restored when we start")
  void down() {
    Running keeper = world.keeper();
    world.register("n1");
    world.label("n1", "team", "a");
    world.awaitRecordLabel("n1", "team", "a");
    world.stop(keeper);
    world.vanish("n1");
    world.register("n1");
    world.keeper();
    world.awaitLabel("n1", "team", "a");
  }
}
