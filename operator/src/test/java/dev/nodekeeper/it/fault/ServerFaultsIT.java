package dev.nodekeeper.it.fault;

import static dev.nodekeeper.it.World.through;
import static dev.nodekeeper.testbed.fault.Match.list;
import static dev.nodekeeper.testbed.fault.Match.watch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.Nodekeeper;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Fleet;
import dev.nodekeeper.testbed.Machine;
import dev.nodekeeper.testbed.Part;
import dev.nodekeeper.testbed.fault.FaultProxy;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("The control plane fails: nothing is lost, nothing is made up")
final class ServerFaultsIT {
  private final World world = new World(FaultPlane.get());

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  @Test
  @DisplayName("API server killed and restarted in a loop, 4 times: what it held is never lost")
  void crashLoop() {
    crashLoop(4);
  }

  @Test
  @Tag("long")
  @DisplayName("API server killed and restarted in a loop, 20 times: what it held is never lost")
  void longCrashLoop() {
    crashLoop(20);
  }

  /** Nodes edited, away and returning while it is down: one of each in every round. */
  private void crashLoop(int rounds) {
    world.keeper();
    List.of("edited", "away", "back").forEach(world::register);
    world.label("away", "team", "a");
    world.awaitRecordLabel("away", "team", "a");
    for (int round = 0; round < rounds; round++) {
      String value = "round-" + round;
      world.label("back", "team", value);
      world.awaitRecordLabel("back", "team", value);
      world.vanish("back");
      world.label("edited", "team", value);
      world.vanish("away");
      FaultPlane.get().restart(Part.APISERVER);
      world.register("back");
      world.register("away");
      world.awaitLabel("back", "team", value);
      world.awaitLabel("away", "team", "a");
      world.awaitRecordLabel("edited", "team", value);
    }
  }

  @Test
  @DisplayName(
      "410 after a cut watch and a compaction: one new list, old state as far as known, no false delete")
  void compactedWhileCut() {
    FaultProxy proxy = world.proxy();
    Nodekeeper keeper = world.keeper(through(proxy));
    List<String> names = List.of("returned", "gone", "edited", "rested");
    names.forEach(world::register);
    names.forEach(name -> world.label(name, "team", name));
    names.forEach(name -> world.awaitRecordLabel(name, "team", name));
    String before = world.record("rested").toString();
    int lists = proxy.count(list("nodes"));

    proxy.shut();
    world.vanish("returned");
    world.register("returned");
    world.vanish("gone");
    world.label("edited", "team", "new");
    Etcd.compact();
    // A new watch cache begins at today's revision: only now is the old one really gone.
    FaultPlane.get().restart(Part.APISERVER);
    proxy.heal();

    world.awaitLabel("returned", "team", "returned");
    world.awaitRecordLabel("edited", "team", "new");
    world.settle(keeper);
    assertThat(proxy.count(list("nodes"))).isGreaterThan(lists);
    assertThat(world.record("rested").toString()).isEqualTo(before);
    assertThat(world.labels("rested")).containsEntry("team", "rested");
    world.awaitRecordLabel("gone", "team", "gone");
    world.register("gone");
    world.awaitLabel("gone", "team", "gone");
    // No loop: a list that worked is not done again.
    int after = proxy.count(list("nodes"));
    world.settle(keeper);
    assertThat(proxy.count(list("nodes"))).isEqualTo(after);
  }

  @Test
  @DisplayName(
      "410 in the middle of a paged list: the list begins again, and nobody is taken for gone")
  void expiredPage() {
    List<Machine> machines =
        Fleet.machines("page", 550).stream().map(m -> m.withLabel("team", m.name())).toList();
    Nodekeeper first = world.keeper();
    world.fleet.register(machines);
    await("all recorded").atMost(World.HANG).until(() -> records() == machines.size());
    await("quiet").atMost(World.HANG).until(first::idle);
    world.stop(first);

    FaultProxy proxy = world.proxy();
    var secondPage =
        proxy
            .on(list("nodes").and(call -> call.query().contains("continue=")))
            .first()
            .holdRequest();
    var mark = world.mark();
    Thread starting = Thread.ofVirtual().start(() -> world.keeper(through(proxy)));
    secondPage.awaitArrived();
    world.label("page-549", "extra", "1");
    Etcd.compact();
    FaultPlane.get().restart(Part.APISERVER);
    secondPage.release();

    world.awaitRecordLabel("page-549", "extra", "1");
    join(starting);
    assertThat(proxy.journal(list("nodes")).stream().filter(call -> call.status() == 410).count())
        .as("pages that had expired")
        .isPositive();
    assertThat(records()).isEqualTo(machines.size());
    var requests = world.requestsSince(mark);
    assertThat(requests).doesNotContainKeys("patch nodes", "delete configmaps");
    assertThat(requests).containsEntry("update configmaps", 1L);
  }

  private long records() {
    return world.admin.list("/api/v1/namespaces/" + world.namespace + "/configmaps").stream()
        .filter(map -> map.path("metadata").path("name").asText().startsWith("page-"))
        .count();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Test
  @DisplayName(
      "restarted against an API server that is behind: we wait for it, and bring nothing old back")
  void staleServer() throws Exception {
    try (SecondApiServer second = new SecondApiServer(FaultPlane.get())) {
      Nodekeeper first = world.keeper();
      Stream.of("kept", "moved").forEach(world::register);
      world.label("kept", "team", "old");
      world.label("moved", "team", "old");
      world.awaitRecordLabel("kept", "team", "old");
      world.awaitRecordLabel("moved", "team", "old");

      second.etcd.freeze();
      world.label("kept", "team", "new");
      world.label("moved", "team", "new");
      world.awaitRecordLabel("kept", "team", "new");
      world.awaitRecordLabel("moved", "team", "new");
      world.vanish("moved");
      world.stop(first);
      world.register("moved");
      var mark = world.mark();
      FaultProxy proxy = FaultProxy.before(FaultPlane.get(), second.server, world.user);
      world.closeLater(proxy);
      Nodekeeper restarted = Nodekeeper.start(world.settings(through(proxy)));
      world.closeLater(restarted);
      // What a server that is cut off from etcd says is too old to act on.
      assertThat(restarted.awaitReady(java.time.Duration.ofSeconds(3))).isFalse();
      assertThat(world.requestsSince(mark)).isEmpty();
      assertThat(world.labels("moved")).isEmpty();

      second.etcd.thaw();
      world.awaitLabel("moved", "team", "new");
      assertThat(restarted.awaitReady(World.HANG)).isTrue();
      assertThat(world.labels("kept")).containsEntry("team", "new");
      assertThat(world.record("kept").path("labels").path("team").asText()).isEqualTo("new");
    }
  }

  @Test
  @DisplayName(
      "etcd out of space: what it refuses is tried again until it fits, also for a node that has gone")
  void outOfSpace() {
    FaultProxy proxy = world.proxy();
    world.keeper(through(proxy), "--settle=1s", "--settle-max=2s");
    world.register("n1");
    world.label("n1", "team", "a");
    world.awaitRecordLabel("n1", "team", "a");
    world.label("n1", "team", "b");
    Etcd.runOutOfSpace();
    try {
      await("a refused write").atMost(World.HANG).until(() -> refused(proxy) > 0);
      long before = refused(proxy);
      world.vanish("n1");
      await("the last state is refused too")
          .atMost(World.HANG)
          .until(() -> refused(proxy) > before);
      assertThat(world.record("n1").path("labels").path("team").asText()).isEqualTo("a");
    } finally {
      Etcd.getSpaceAgain();
    }
    world.awaitRecordLabel("n1", "team", "b");
    world.register("n1");
    world.awaitLabel("n1", "team", "b");
    world.awaitRecordLabel("n1", "team", "b");
    assertThat(proxy.count(watch("nodes"))).as("watches that were opened").isEqualTo(1);
  }

  private static long refused(FaultProxy proxy) {
    return proxy.journal().stream().filter(c -> c.isWrite() && c.status() >= 500).count();
  }
}
