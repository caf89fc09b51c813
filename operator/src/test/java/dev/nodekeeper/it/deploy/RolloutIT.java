package dev.nodekeeper.it.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.it.World;
import dev.nodekeeper.it.fault.Crowd;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Kwok;
import dev.nodekeeper.testbed.Options;
import dev.nodekeeper.testbed.Part;
import dev.nodekeeper.testbed.binaries.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Real: helm and the chart, the API server, its controllers and scheduler, people at work, and for
 * each pod a process of ours with that pod's settings and its account's token, Ready when its probe
 * says so ({@link PodProcesses}). Not real: nodes and containers, which are kwok's; so no image is
 * pulled, and the newer version is the same program under another tag.
 */
@DisplayName("The chart is rolled out, upgraded and rolled back while people work")
final class RolloutIT {
  private static final Duration HANG = Duration.ofMinutes(10);
  private static final int REPLICAS = 3;
  private static final int NODES = 60;
  private static final String[] HOSTS = {"host-0", "host-1", "host-2"};

  private final long seed = Long.getLong("nodekeeper.seed", System.nanoTime() % 1_000_000);
  private final ControlPlane plane =
      ControlPlane.start(Options.defaults().with(Part.CONTROLLER_MANAGER).with(Part.SCHEDULER));
  private final World world = World.toInstall(plane);

  @AfterEach
  void end() throws Exception {
    world.close();
    plane.close();
  }

  @Test
  @DisplayName("no edit is lost, no replica too few, every process ends well, the records stay")
  void rollOut() throws Exception {
    System.out.println("roll-out: -Dnodekeeper.seed=" + seed);
    new Applied(world.admin).apply(Rendering.namespace()).expect();
    try (Kwok _ = Kwok.start(plane, Kwok.Ready.WHEN_TOLD, HOSTS);
        PodProcesses pods = new PodProcesses(world);
        Crowd crowd = new Crowd(world, NODES, seed)) {
      for (String host : HOSTS) {
        world.label(host, "example.com/host", "1");
      }
      // People's machines are no place for pods: they come and go.
      helm(
          "install",
          Rendering.CHART,
          "--values=" + Rendering.CHART.resolve("ci/ha.yaml"),
          "--set-string=nodeSelector.example\\.com/host=1");
      Set<String> first = templates(pods, Set.of());
      crowd.moveIn();
      crowd.awaitNoComplaints("seed " + seed + ", before any upgrade");
      crowd.begin();
      pods.countLeastReady();

      helm("upgrade", Rendering.CHART, "--reuse-values", "--set=image.tag=next");
      Set<String> second = templates(pods, first);
      helm("rollback", "1");
      assertThat(templates(pods, second)).isEqualTo(first);

      crowd.stop();
      assertThat(pods.leastReady()).as("replicas that were ready at any time").isEqualTo(REPLICAS);
      crowd.awaitNoComplaints("seed " + seed + ", as they stood");
      crowd.bringAllBack();
      crowd.awaitNoComplaints("seed " + seed + ", all returned");
      assertThat(crowd.allWereAtWork()).isTrue();

      helm("uninstall");
      await("every process has ended, 0 after SIGTERM")
          .atMost(HANG)
          .untilAsserted(() -> assertThat(pods.exitCodes()).hasSize(3 * REPLICAS).containsOnly(0));
      crowd.awaitNoComplaints("seed " + seed + ", after we have gone");
      System.out.printf("roll-out: %d actions of people%n", crowd.actions());
    }
  }

  /** Of one kind, and another than those. */
  private static Set<String> templates(PodProcesses pods, Set<String> old) {
    await("rolled out")
        .atMost(HANG)
        .until(
            () -> {
              Set<String> now = pods.templatesOf(REPLICAS);
              return now.size() == 1 && !now.equals(old);
            });
    return pods.templatesOf(REPLICAS);
  }

  private void helm(String command, Object... arguments) {
    List<Object> all = new ArrayList<>(List.of(command, "nodekeeper"));
    all.addAll(List.of(arguments));
    all.add("--namespace=nodekeeper");
    all.add("--kubeconfig=" + plane.adminKubeconfig());
    all.add("--wait");
    all.add("--timeout=" + HANG.toSeconds() + "s");
    Outcome ran = Rendering.helm(all.toArray());
    assertThat(ran.code()).as(ran.output()).isZero();
  }
}
