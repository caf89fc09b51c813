package dev.nodekeeper.it.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.it.Parallel;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Fleet;
import dev.nodekeeper.testbed.Machine;
import dev.nodekeeper.testbed.fault.Gate;
import dev.nodekeeper.testbed.fault.Match;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Order and bound; that thousands come back is the bench's. */
@DisplayName("More to do than requests in flight")
final class FleetRaceIT {
  private final World world = new World();

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  @Test
  @DisplayName(
      "R33 a fleet returns at once: one request at a time where we are told so, and by urgency")
  void r33() {
    Replica us = new Replica(world, "--writers=1");
    List<Machine> labelled = Fleet.machines("label", 60);
    List<Machine> tainted = Fleet.machines("taint", 60);
    List<Machine> dying = Fleet.machines("dying", 60);
    List<Machine> all = new ArrayList<>(labelled);
    all.addAll(tainted);
    all.addAll(dying);
    world.fleet.register(all);
    Parallel.each(all, m -> world.label(m.name(), "team", "a"));
    Parallel.each(tainted, m -> world.taint(m.name(), "dedicated=x:NoSchedule"));
    all.forEach(m -> world.awaitRecordLabel(m.name(), "team", "a"));
    await().atMost(World.HANG).until(() -> us.keeper().idle());
    world.fleet.vanish(labelled);
    world.fleet.vanish(tainted);
    us.settle();
    us.begin();
    double added = us.heard("nodes", "added");
    double deleted = us.heard("nodes", "deleted");
    // The first request waits, so everything else gathers behind it.
    Gate gate = us.proxy().on(Match.writes()).first().holdRequest();
    world.register(labelled.getFirst());
    gate.awaitArrived();
    world.fleet.register(labelled.subList(1, labelled.size()));
    world.fleet.register(tainted);
    Parallel.each(dying, m -> world.label(m.name(), "team", "last"));
    world.fleet.vanish(dying);
    us.awaitHeard("nodes", "added", added + labelled.size() + tainted.size() - 1);
    us.awaitHeard("nodes", "deleted", deleted + dying.size() - 1);
    // The gauge follows the loop at a distance.
    await().atMost(World.HANG).until(() -> us.metric("nodekeeper_in_flight") == 1);
    gate.release();
    all.forEach(m -> world.awaitRecordLabel(m.name(), "team", dying.contains(m) ? "last" : "a"));
    world.awaitLabel(labelled.getLast().name(), "team", "a");
    us.settle();
    List<String> order =
        us.writes().stream()
            .map(call -> call.path().replaceAll(".*/([a-z]+)-\\d+$", "$1"))
            .filter(List.of("label", "taint", "dying")::contains)
            .toList();
    List<String> expected = new ArrayList<>(List.of("label"));
    dying.forEach(_ -> expected.add("dying"));
    tainted.forEach(_ -> expected.add("taint"));
    labelled.subList(1, labelled.size()).forEach(_ -> expected.add("label"));
    assertThat(order).isEqualTo(expected);
  }
}
