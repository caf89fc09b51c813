package dev.nodekeeper.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.testbed.Fleet;
import dev.nodekeeper.testbed.Machine;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The process dies: nothing is lost of what it had seen")
final class CrashIT {
  private static final int NODES = 1000;
  private final World world = new World();

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  @Test
  @DisplayName("1,000 deletions with kill -9 in the middle: 0 lost of what it had seen")
  void killedInTheMiddle() throws Exception {
    List<Machine> machines = Fleet.machines("crash", NODES);
    List<Process> first = RunProcess.startAll(world);
    world.fleet.register(machines);
    Parallel.each(machines, m -> world.label(m.name(), "team", m.name()));
    await("every label is in its record")
        .atMost(World.HANG)
        .until(() -> recorded(machines).size() == NODES);
    Thread deletions = Thread.ofVirtual().start(() -> world.fleet.vanish(machines));
    await("half of them are gone")
        .atMost(World.HANG)
        .until(() -> world.admin.list("/api/v1/nodes").size() < NODES / 2);
    for (Process process : first) {
      process.destroyForcibly().waitFor();
    }
    deletions.join();
    RunProcess.startAll(world);
    world.fleet.register(machines);
    await("all restored")
        .atMost(World.HANG)
        .untilAsserted(() -> assertThat(restored()).hasSize(NODES));
  }

  @Test
  @DisplayName("SIGTERM stops cleanly: exit code 0, within seconds")
  void terminated() throws Exception {
    List<Process> processes = RunProcess.startAll(world);
    world.register("n1");
    world.label("n1", "team", "a");
    world.awaitRecordLabel("n1", "team", "a");
    for (Process process : processes) {
      process.destroy();
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      // 143 is what a JVM gives that ends by SIGTERM after its shutdown hooks.
      assertThat(process.exitValue()).isIn(0, 143);
    }
  }

  private Set<String> recorded(List<Machine> machines) {
    Set<String> names = new TreeSet<>();
    world
        .admin
        .list("/api/v1/namespaces/" + world.namespace + "/configmaps")
        .forEach(
            map -> {
              String name = map.path("metadata").path("name").asText();
              String record = map.path("data").path("record.json").asText();
              if (record.contains("\"team\": \"" + name + "\"")) {
                names.add(name);
              }
            });
    names.retainAll(machines.stream().map(Machine::name).toList());
    return names;
  }

  private Set<String> restored() {
    Set<String> names = new TreeSet<>();
    world
        .admin
        .list("/api/v1/nodes")
        .forEach(
            node -> {
              String name = node.path("metadata").path("name").asText();
              if (name.equals(World.labels(node).get("team"))) {
                names.add(name);
              }
            });
    return names;
  }
}
