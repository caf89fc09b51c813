package dev.nodekeeper.it.fault;

import static dev.nodekeeper.it.World.through;
import static dev.nodekeeper.testbed.fault.Match.list;
import static dev.nodekeeper.testbed.fault.Match.watch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.Nodekeeper;
import dev.nodekeeper.it.Running;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Fleet;
import dev.nodekeeper.testbed.Machine;
import dev.nodekeeper.testbed.Part;
import dev.nodekeeper.testbed.fault.Call;
import dev.nodekeeper.testbed.fault.FaultProxy;
import dev.nodekeeper.testbed.fault.Match;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.function.Predicate;
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
    Running keeper = world.keeper(through(proxy));
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
    FaultPlane.get().etcd().compact();
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
  void expiredPage() throws Exception {
    List<Machine> machines =
        Fleet.machines("page", 550).stream().map(m -> m.withLabel("team", m.name())).toList();
    FaultProxy proxy = world.proxy();
    Running keeper = world.keeper(through(proxy));
    world.fleet.register(machines);
    await("all recorded").atMost(World.HANG).until(() -> records() == machines.size());
    await("quiet").atMost(World.HANG).until(keeper::idle);
    var mark = world.mark();

    var secondPage = proxy.on(pages(call -> call.query().contains("continue="))).holdRequest();
    expire("page-0", proxy);
    secondPage.awaitArrived();
    var nextList = proxy.on(pages(call -> !call.query().contains("continue="))).holdRequest();
    expire("page-549", proxy);
    secondPage.release();
    nextList.awaitArrived();
    assertThat(proxy.journal(list("nodes")))
        .as("pages that expired")
        .anyMatch(c -> c.status() == 410);
    // Longer than it takes until the gauges are counted again.
    Thread.sleep(3_500);
    assertThat(metric(keeper, "nodekeeper_nodes")).isEqualTo(550);
    assertThat(metric(keeper, "nodekeeper_tombstones")).isZero();
    nextList.release();

    world.awaitRecordLabel("page-0", "extra", "1");
    world.awaitRecordLabel("page-549", "extra", "1");
    await("quiet").atMost(World.HANG).until(keeper::idle);
    assertThat(records()).isEqualTo(machines.size());
    assertThat(world.requestsSince(mark))
        .doesNotContainKeys("patch nodes", "delete configmaps")
        .containsEntry("update configmaps", 2L);
  }

  private long records() {
    return world.admin.list("/api/v1/namespaces/" + world.namespace + "/configmaps").stream()
        .filter(map -> map.path("metadata").path("name").asText().startsWith("page-"))
        .count();
  }

  private static Match pages(Predicate<Call> which) {
    return list("nodes").and(call -> call.query().contains("limit=500")).and(which);
  }

  /** An edit that the watch has not told, and no server remembers what was before. */
  private void expire(String node, FaultProxy proxy) {
    var held = proxy.on(watch("nodes")).muteReplies();
    world.label(node, "extra", "1");
    FaultPlane.get().etcd().compact();
    FaultPlane.get().restart(Part.APISERVER);
    proxy.cut(watch("nodes"));
    proxy.lift(held);
  }

  private static double metric(Running keeper, String name) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + keeper.httpPort() + "/metrics");
    try (HttpClient http = HttpClient.newHttpClient()) {
      String text =
          http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
              .body();
      return text.lines()
          .filter(line -> line.startsWith(name + " "))
          .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  @DisplayName(
      "restarted against an API server that is behind: we wait for it, and bring nothing old back")
  void staleServer() throws Exception {
    try (SecondApiServer second = new SecondApiServer(FaultPlane.get())) {
      Running first = world.keeper();
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
    FaultPlane.get().etcd().runOutOfSpace();
    try {
      await("a refused write").atMost(World.HANG).until(() -> refused(proxy) > 0);
      long before = refused(proxy);
      world.vanish("n1");
      await("the last state is refused too")
          .atMost(World.HANG)
          .until(() -> refused(proxy) > before);
      assertThat(world.record("n1").path("labels").path("team").asText()).isEqualTo("a");
    } finally {
      FaultPlane.get().etcd().getSpaceAgain();
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
