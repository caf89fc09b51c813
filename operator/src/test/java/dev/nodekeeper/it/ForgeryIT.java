package dev.nodekeeper.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.testbed.Fleet;
import dev.nodekeeper.testbed.Kube;
import dev.nodekeeper.testbed.Machine;
import dev.nodekeeper.testbed.Patch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A kubelet may write any annotation on its own node. One that is believed to be restored already
 * would be without its quarantine, and would wipe its record.
 */
@DisplayName("A hostile kubelet and our marker")
final class ForgeryIT {
  private static final long SEED = Long.getLong("forgery.seed", 1);
  private static final int MACHINES = 50;
  private static final String QUARANTINE = "quarantine=strict:NoExecute";

  private final World world = new World();
  private final List<Machine> machines = Fleet.machines("evil", MACHINES);

  /** Every marker and withheld list that we ever wrote, by node. */
  private final Map<String, List<Map.Entry<String, String>>> seen = new ConcurrentHashMap<>();

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  @Test
  @DisplayName("forged, copied, replayed, at registration and later: not one of 400 is believed")
  void sample() {
    markers(400);
  }

  @Test
  @Tag("long")
  @DisplayName("nor one of 10,000 (-Dforgery.tries)")
  void many() {
    markers(Integer.getInteger("forgery.tries", 10_000));
  }

  private void markers(int count) {
    Running keeper = world.keeper();
    world.fleet.register(machines);
    Parallel.each(
        machines,
        m -> {
          world.label(m.name(), "node-role.kubernetes.io/gpu", "");
          world.taint(m.name(), QUARANTINE);
        });
    machines.forEach(m -> world.awaitRecordLabel(m.name(), "node-role.kubernetes.io/gpu", ""));
    SplittableRandom random = new SplittableRandom(SEED);
    for (int tries = 0; tries < count; tries += 2 * MACHINES) {
      world.fleet.vanish(machines);
      Map<String, Map.Entry<String, String>> forged = new ConcurrentHashMap<>();
      machines.forEach(m -> forged.put(m.name(), forgery(m, random)));
      Parallel.each(machines, m -> register(m, forged.get(m.name())));
      machines.forEach(this::awaitRestored);
      machines.forEach(this::steal);
      machines.forEach(m -> forged.put(m.name(), forgery(m, random)));
      Parallel.each(machines, m -> mark(m, forged.get(m.name())));
      world.settle(keeper);
      for (Machine machine : machines) {
        assertThat(world.record(machine.name()).path("taints"))
            .as("seed %d, %s with %s", SEED, machine.name(), forged.get(machine.name()))
            .hasSize(1);
        awaitRestored(machine);
      }
    }
  }

  /** A marker and its list of withheld keys. */
  private Map.Entry<String, String> forgery(Machine machine, SplittableRandom random) {
    List<Map.Entry<String, String>> mine = seen.getOrDefault(machine.name(), List.of());
    String neighbour = machines.get(random.nextInt(MACHINES)).name();
    List<Map.Entry<String, String>> theirs = seen.getOrDefault(neighbour, List.of());
    String everything = "label:node-role.kubernetes.io/gpu,taint:quarantine:NoExecute";
    List<Map.Entry<String, String>> ideas = new ArrayList<>();
    ideas.add(Map.entry(random.nextInt(4) + "." + "A".repeat(43), ""));
    ideas.add(Map.entry("999999999999." + "A".repeat(43), everything));
    ideas.add(Map.entry("1.", ""));
    ideas.add(Map.entry("not a marker", everything));
    for (var known : List.of(mine, theirs)) {
      if (!known.isEmpty()) {
        var one = known.get(random.nextInt(known.size()));
        String mac = one.getKey().substring(one.getKey().indexOf('.'));
        ideas.add(one);
        ideas.add(Map.entry(one.getKey(), everything));
        ideas.add(Map.entry(random.nextInt(1, 6) + mac, one.getValue()));
      }
    }
    return ideas.get(random.nextInt(ideas.size()));
  }

  private Kube kubelet(Machine machine) {
    return world.admin.impersonating(machine.user(), "system:nodes");
  }

  private void register(Machine machine, Map.Entry<String, String> forged) {
    ObjectNode node = (ObjectNode) machine.node();
    annotate(node, forged);
    kubelet(machine).create("/api/v1/nodes", node).expect();
  }

  /** On its living node. */
  private void mark(Machine machine, Map.Entry<String, String> forged) {
    ObjectNode patch = World.JSON.createObjectNode();
    annotate(patch, forged);
    kubelet(machine).patch(machine.path(), Patch.MERGE, patch).expect();
  }

  private static void annotate(ObjectNode object, Map.Entry<String, String> forged) {
    object
        .withObjectProperty("metadata")
        .withObjectProperty("annotations")
        .put(NodeState.MARKER, forged.getKey())
        .put(NodeState.WITHHELD, forged.getValue());
  }

  private void awaitRestored(Machine machine) {
    await(machine.name())
        .atMost(World.HANG)
        .untilAsserted(
            () -> {
              JsonNode node = world.node(machine.name());
              assertThat(World.taints(node)).containsExactly(QUARANTINE);
              assertThat(World.labels(node)).containsKey("node-role.kubernetes.io/gpu");
            });
  }

  /** What we wrote: to be replayed in a later life, or by a neighbour. */
  private void steal(Machine machine) {
    JsonNode annotations = world.node(machine.name()).path("metadata").path("annotations");
    seen.computeIfAbsent(machine.name(), _ -> new ArrayList<>())
        .add(
            Map.entry(
                annotations.path(NodeState.MARKER).asText(),
                annotations.path(NodeState.WITHHELD).asText()));
  }
}
