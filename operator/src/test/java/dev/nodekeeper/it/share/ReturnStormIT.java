package dev.nodekeeper.it.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.it.Parallel;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.AuditLog;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Fleet;
import dev.nodekeeper.testbed.Machine;
import dev.nodekeeper.testbed.Options;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("All nodes return at once to an API server that takes 20 writes at a time")
final class ReturnStormIT {
  private static final int NODES = Integer.getInteger("storm.nodes", 400);
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final int TAINTED_OF = 4;
  private static final int WRITERS = 64;
  private static final int SHARDS = 4;

  /** Without queues a request beyond the limit gets a 429; only administrators do not. */
  private final ControlPlane plane =
      ControlPlane.start(
          Options.defaults()
              .apiServerFlag("--enable-priority-and-fairness=false")
              .apiServerFlag("--max-mutating-requests-inflight=20"));

  private final World world = new World(plane);
  private final LeaseWatch leases = new LeaseWatch(world, SHARDS);
  private final List<Machine> machines = Fleet.machines("storm", NODES);

  @AfterEach
  void end() throws Exception {
    leases.close();
    world.close();
    plane.close();
  }

  @Test
  @DisplayName("no lease is lost, 429s are honoured, all are restored, those that repel pods first")
  void storm() {
    var first = world.keeper("--shards=" + SHARDS, "--writers=" + WRITERS);
    var second = world.keeper("--shards=" + SHARDS, "--writers=" + WRITERS);
    register();
    Parallel.each(
        machines,
        machine -> {
          if (tainted(machine)) {
            world.taint(machine.name(), "dedicated=gpu:NoSchedule");
          }
          world.label(machine.name(), "team", machine.name());
        });
    await("all remembered").atMost(LONG).until(() -> remembered() == NODES);
    leases.awaitEven(2);
    Map<String, String> holders = holders();

    AuditLog.Mark mark = world.mark();
    Parallel.each(machines, machine -> world.vanish(machine.name()));
    register();
    await("all restored").atMost(LONG).until(this::allRestored);
    assertThat(holders()).as("who owns what").isEqualTo(holders);
    long refused = refused(mark);

    // Once more, and nobody is there to restore anything until all of them are back.
    world.stop(first);
    world.stop(second);
    Parallel.each(machines, machine -> world.vanish(machine.name()));
    register();
    mark = world.mark();
    world.keeper("--shards=1", "--writers=" + WRITERS);
    await("all restored").atMost(LONG).until(this::allRestored);
    List<Integer> places = placesOfTainted(mark);
    // Those that are under way together arrive in any order.
    long early = places.stream().filter(place -> place < places.size() + WRITERS).count();
    System.out.printf(
        "storm: %d nodes twice, %d + %d writes refused; of %d tainted ones %d came first%n",
        NODES, refused, refused(mark), places.size(), early);
    // A lease that is late on a busy machine holds a few of them back.
    assertThat(early).isGreaterThan(places.size() * 3L / 4);
  }

  private static boolean tainted(Machine machine) {
    return Math.floorMod(machine.name().hashCode(), TAINTED_OF) == 0;
  }

  /** As an administrator, since the server turns kubelets away as well. */
  private void register() {
    Parallel.each(
        machines, machine -> world.admin.create("/api/v1/nodes", machine.node()).expect());
  }

  private long remembered() {
    return world.admin.list("/api/v1/namespaces/" + world.namespace + "/configmaps").stream()
        .map(map -> map.path("data").path("record.json").asText())
        .filter(record -> record.contains("\"team\""))
        .count();
  }

  private boolean allRestored() {
    int restored = 0;
    for (JsonNode node : world.admin.list("/api/v1/nodes")) {
      String name = node.path("metadata").path("name").asText();
      if (name.equals(node.path("metadata").path("labels").path("team").asText())) {
        restored++;
      }
    }
    return restored == NODES;
  }

  private Map<String, String> holders() {
    Map<String, String> holders = new TreeMap<>();
    world
        .admin
        .list("/apis/coordination.k8s.io/v1/namespaces/" + world.namespace + "/leases")
        .forEach(
            lease -> {
              String name = lease.path("metadata").path("name").asText();
              if (!name.contains("member")) {
                holders.put(
                    name,
                    lease.path("spec").path("holderIdentity").asText()
                        + " after "
                        + lease.path("spec").path("leaseTransitions").asInt());
              }
            });
    return holders;
  }

  private long refused(AuditLog.Mark mark) {
    return plane.audit().since(mark).count(world.user, request -> request.code() == 429);
  }

  /** In the order in which nodes were first asked for, turned away or not. */
  private List<Integer> placesOfTainted(AuditLog.Mark mark) {
    List<String> order =
        plane.audit().since(mark).requests(world.user).stream()
            .filter(request -> request.what().equals("patch nodes"))
            .map(AuditLog.Request::name)
            .distinct()
            .toList();
    List<Integer> places = new ArrayList<>();
    for (Machine machine : machines) {
      if (tainted(machine)) {
        places.add(order.indexOf(machine.name()));
      }
    }
    places.sort(null);
    return places;
  }
}
