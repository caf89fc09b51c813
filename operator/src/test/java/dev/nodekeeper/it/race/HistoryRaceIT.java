package dev.nodekeeper.it.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Options;
import dev.nodekeeper.testbed.Part;
import dev.nodekeeper.testbed.fault.Gate;
import dev.nodekeeper.testbed.fault.Match;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Time goes backwards")
final class HistoryRaceIT {
  /** More than a starting API server writes by itself, or the new history overtakes the old. */
  private static final int LOST = 200;

  private final ControlPlane plane = ControlPlane.start(Options.defaults());
  private final World world = new World(plane);

  @AfterEach
  void end() throws Exception {
    world.close();
    plane.close();
  }

  @ParameterizedTest(name = "the list of {0} comes last")
  @ValueSource(strings = {"nodes", "configmaps"})
  @DisplayName(
      "R21 etcd is restored from a backup under us: compared afresh, told, and edits count at once")
  void r21(String last) throws IOException {
    Replica us = new Replica(world);
    world.register("n1");
    world.label("n1", "team", "before");
    world.awaitRecordLabel("n1", "team", "before");
    us.settle();
    Path etcd = plane.folder().resolve("etcd");
    Path backup = plane.folder().resolve("etcd-backup");
    stop();
    copy(etcd, backup);
    start();
    for (int i = 0; i < LOST; i++) {
      world.label("n1", "team", "lost-" + i);
    }
    world.awaitRecordLabel("n1", "team", "lost-" + (LOST - 1));
    us.settle();
    us.begin();
    String first = last.equals("nodes") ? "configmaps" : "nodes";
    int watches = us.proxy().count(Match.watch(first));
    long later = revision();
    Gate gate = us.proxy().on(Match.list(last)).holdRequest();
    stop();
    remove(etcd);
    copy(backup, etcd);
    start();
    assertThat(revision()).isLessThan(later);
    assertThat(world.labelOf("n1", "team")).isEqualTo("before");
    // Its revision is one that we have seen before, with another content.
    world.label("n1", "team", "after");
    gate.awaitArrived();
    await("the other list is taken in, and watched from")
        .atMost(World.HANG)
        .until(() -> us.proxy().count(Match.watch(first)) > watches);
    await("and worked off")
        .atMost(World.HANG)
        .until(
            () ->
                us.metric("nodekeeper_inbox_size") == 0 && us.metric("nodekeeper_in_flight") == 0);
    assertThat(revision()).isLessThan(later);
    gate.release();
    world.awaitRecordLabel("n1", "team", "after");
    await("told")
        .atMost(World.HANG)
        .until(() -> us.metric("nodekeeper_reports_total{reason=\"HistoryReset\"}") > 0);
    us.settle();
    assertThat(us.writes("n1")).noneMatch(call -> call.body().contains("lost-"));
    assertThat(world.labels("n1")).isEqualTo(Map.of("team", "after"));
    world.vanish("n1");
    world.register("n1");
    world.awaitLabel("n1", "team", "after");
  }

  private long revision() {
    var list = plane.admin().get("/api/v1/nodes?limit=1").expect();
    return list.path("metadata").path("resourceVersion").asLong();
  }

  private void stop() {
    plane.kill(Part.APISERVER);
    plane.stop(Part.ETCD);
  }

  private void start() {
    plane.start(Part.ETCD);
    plane.start(Part.APISERVER);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Files.copy(each, to.resolve(from.relativize(each)), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  private static void remove(Path folder) throws IOException {
    try (var all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
