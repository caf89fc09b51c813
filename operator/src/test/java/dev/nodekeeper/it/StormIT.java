package dev.nodekeeper.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.testbed.Fleet;
import dev.nodekeeper.testbed.Machine;
import dev.nodekeeper.testbed.Patch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Many at once: nothing lost, nothing stale, no person overwritten")
final class StormIT {
  private final World world = new World();

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  @Test
  @DisplayName("200 nodes edited and deleted at once and returned at once: 0 lost, 0 stale")
  void editedDeletedReturned() {
    world.keeper();
    List<Machine> machines = Fleet.machines("storm", 200);
    world.fleet.register(machines);
    Parallel.each(machines, m -> world.label(m.name(), "team", "old"));
    machines.forEach(m -> world.awaitRecordLabel(m.name(), "team", "old"));
    Parallel.each(
        machines,
        m -> {
          world.label(m.name(), "team", "new-" + m.name());
          world.taint(m.name(), "dedicated=" + m.name() + ":NoSchedule");
          world.vanish(m.name());
        });
    world.fleet.register(machines);
    await("all restored")
        .atMost(World.HANG)
        .untilAsserted(
            () ->
                assertThat(found("team", machines))
                    .isEqualTo(expected(machines, m -> "new-" + m.name())));
    for (Machine machine : machines) {
      assertThat(world.taints(machine.name()))
          .containsExactly("dedicated=" + machine.name() + ":NoSchedule");
    }
  }

  @Test
  @DisplayName("50 nodes deleted and re-created 10 times without waiting: 0 lost")
  void flapping() {
    world.keeper();
    List<Machine> machines = Fleet.machines("flap", 50);
    world.fleet.register(machines);
    Parallel.each(machines, m -> world.label(m.name(), "team", m.name()));
    machines.forEach(m -> world.awaitRecordLabel(m.name(), "team", m.name()));
    for (int flap = 0; flap < 10; flap++) {
      world.fleet.vanish(machines);
      world.fleet.register(machines);
    }
    await("all restored")
        .atMost(World.HANG)
        .untilAsserted(
            () -> assertThat(found("team", machines)).isEqualTo(expected(machines, Machine::name)));
  }

  @Test
  @DisplayName("100 nodes edited by a person right after they return: 0 edits overwritten")
  void editedOnReturn() {
    Running keeper = world.keeper();
    List<Machine> machines = Fleet.machines("edit", 100);
    world.fleet.register(machines);
    Parallel.each(
        machines,
        m -> {
          world.label(m.name(), "team", "old");
          world.label(m.name(), "gone", "old");
          world.label(m.name(), "kept", "old");
        });
    machines.forEach(m -> world.awaitRecordLabel(m.name(), "kept", "old"));
    world.fleet.vanish(machines);
    Parallel.each(
        machines,
        m -> {
          world.register(m);
          world.label(m.name(), "team", "person");
        });
    await("the rest is restored")
        .atMost(World.HANG)
        .untilAsserted(
            () -> assertThat(found("kept", machines)).isEqualTo(expected(machines, _ -> "old")));
    Parallel.each(machines, m -> world.unlabel(m.name(), "gone"));
    world.settle(keeper);
    assertThat(found("team", machines)).isEqualTo(expected(machines, _ -> "person"));
    assertThat(found("gone", machines)).isEmpty();
    for (Machine machine : machines) {
      world.awaitRecordLabel(machine.name(), "team", "person");
      world.awaitRecordLabel(machine.name(), "gone", null);
    }
  }

  @Test
  @DisplayName(
      "two replicas side by side without election: same end state, nothing lost, no fighting")
  void twoReplicas() {
    Running one = world.keeper();
    Running two = world.keeper();
    List<Machine> machines = Fleet.machines("twin", 100);
    world.fleet.register(machines);
    Parallel.each(machines, m -> world.label(m.name(), "team", m.name()));
    machines.forEach(m -> world.awaitRecordLabel(m.name(), "team", m.name()));
    Parallel.each(
        machines,
        m -> {
          world.label(m.name(), "late", "1");
          world.vanish(m.name());
          world.register(m);
        });
    await("all restored")
        .atMost(World.HANG)
        .untilAsserted(
            () -> {
              assertThat(found("team", machines)).isEqualTo(expected(machines, Machine::name));
              assertThat(found("late", machines)).isEqualTo(expected(machines, _ -> "1"));
            });
    world.settle(one);
    await("both quiet").atMost(World.HANG).until(() -> one.idle() && two.idle());
    var start = world.mark();
    world.fleet.heartbeat(machines);
    world.settle(one);
    assertThat(world.requestsSince(start).getOrDefault("patch nodes", 0L)).isZero();
  }

  @Test
  @DisplayName("a restore lands while other writers change the node's annotations without pause")
  void busyNode() throws Exception {
    restoredUnderFire(
        "busy",
        world::register,
        (machine, i) ->
            world.admin.patch(
                machine.path(),
                Patch.MERGE,
                "{\"metadata\":{\"annotations\":{\"busy\":\"" + i + "\"}}}"));
  }

  @Test
  @DisplayName("also onto a node without any label or annotation, whose status never rests")
  void busyBareNode() throws Exception {
    restoredUnderFire(
        "bare",
        machine -> world.create(machine.name()),
        (machine, i) ->
            world.admin.patch(
                machine.path() + "/status",
                Patch.MERGE,
                "{\"status\":{\"capacity\":{\"pods\":\"" + i + "\"}}}"));
  }

  private void restoredUnderFire(
      String prefix, Consumer<Machine> register, ObjIntConsumer<Machine> write) throws Exception {
    world.keeper();
    List<Machine> machines = Fleet.machines(prefix, 5);
    machines.forEach(register);
    Parallel.each(
        machines,
        m -> {
          world.label(m.name(), "team", "a");
          world.taint(m.name(), "quarantine=strict:NoSchedule");
        });
    machines.forEach(m -> world.awaitRecordLabel(m.name(), "team", "a"));
    world.fleet.vanish(machines);
    AtomicBoolean stop = new AtomicBoolean();
    CountDownLatch writing = new CountDownLatch(machines.size());
    List<Thread> writers = new ArrayList<>();
    for (Machine machine : machines) {
      writers.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    register.accept(machine);
                    writing.countDown();
                    for (int i = 0; !stop.get(); i++) {
                      write.accept(machine, i);
                    }
                  }));
    }
    try {
      writing.await();
      await("restored under fire")
          .atMost(World.HANG)
          .untilAsserted(
              () -> assertThat(found("team", machines)).isEqualTo(expected(machines, _ -> "a")));
      for (Machine machine : machines) {
        assertThat(world.taints(machine.name())).contains("quarantine=strict:NoSchedule");
      }
    } finally {
      stop.set(true);
      for (Thread writer : writers) {
        writer.join();
      }
    }
  }

  private Map<String, String> found(String label, List<Machine> machines) {
    Map<String, String> found = new TreeMap<>();
    world
        .admin
        .list("/api/v1/nodes")
        .forEach(
            node -> {
              String value = World.labels(node).get(label);
              String name = node.path("metadata").path("name").asText();
              if (value != null && machines.stream().anyMatch(m -> m.name().equals(name))) {
                found.put(name, value);
              }
            });
    return found;
  }

  private static Map<String, String> expected(
      List<Machine> machines, java.util.function.Function<Machine, String> value) {
    Map<String, String> expected = new TreeMap<>();
    machines.forEach(m -> expected.put(m.name(), value.apply(m)));
    return expected;
  }
}
