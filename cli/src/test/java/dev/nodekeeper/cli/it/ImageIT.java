package dev.nodekeeper.cli.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.testbed.Container;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Kube;
import dev.nodekeeper.testbed.Machine;
import dev.nodekeeper.testbed.Options;
import dev.nodekeeper.testbed.Patch;
import dev.nodekeeper.testbed.Ports;
import dev.nodekeeper.testbed.Probe;
import dev.nodekeeper.testbed.ServiceAccount;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Needs podman, and the image: {@code make image image-test}. */
@Tag("image")
@DisplayName("The image, as a cluster runs it: read-only, no capability, the token of its account")
final class ImageIT {
  private static final Duration HANG = Duration.ofMinutes(5);
  private static final String IMAGE = System.getProperty("nodekeeper.image", "nodekeeper:latest");
  private static final Path LOG = Path.of("target", "image-test.log");

  private final ControlPlane plane = ControlPlane.start(Options.defaults());
  private final Kube admin = plane.admin();

  @AfterEach
  void end() {
    plane.close();
  }

  @Test
  @DisplayName("starts, keeps, gives back, and ends well; its size is told")
  void life() throws Exception {
    Installed.on(plane, "single");
    ServiceAccount account = new ServiceAccount(plane, "nodekeeper", "nodekeeper");
    int port = Ports.one();
    List<String> arguments = List.of("run", "--http-port=" + port);
    long begun = System.nanoTime();
    try (Container container = Container.start(IMAGE, account, LOG, arguments)) {
      await("ready")
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(10))
          .atMost(HANG)
          .until(
              () -> {
                container.expectRunning();
                return Probe.ready(port);
              });
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      String pid = container.pid();
      assertHardened(pid);
      System.out.printf("image-test: ready %d ms after podman was asked to run it%n", millis);

      tell(pid, 0);
      returns();
      for (int nodes : List.of(1_000, 10_000)) {
        register(nodes);
        await("records of all nodes")
            .pollInterval(Duration.ofSeconds(1))
            .atMost(HANG)
            .until(() -> records() >= nodes);
        tell(pid, nodes);
      }
      assertThat(container.stop()).isZero();
    }
  }

  private void returns() {
    Machine machine = Machine.named("gpu-17");
    String node = "/api/v1/nodes/gpu-17";
    admin.create("/api/v1/nodes", machine.node()).expect();
    admin
        .patch(
            node,
            Patch.MERGE,
            "{\"metadata\":{\"labels\":{\"team\":\"vision\"}},\"spec\":{\"taints\":["
                + "{\"key\":\"dedicated\",\"value\":\"vision\",\"effect\":\"NoSchedule\"}]}}")
        .expect();
    await("recorded")
        .atMost(HANG)
        .until(
            () -> {
              String record =
                  admin.get(Installed.NAMESPACE + "/configmaps/gpu-17").body().toString();
              return record.contains("vision") && record.contains("dedicated");
            });
    admin.delete(node).expect();
    admin.create("/api/v1/nodes", machine.node()).expect();
    await("restored")
        .atMost(HANG)
        .until(
            () -> {
              JsonNode now = admin.get(node).body();
              return now.at("/metadata/labels/team").asText().equals("vision")
                  && now.at("/spec/taints").findValuesAsText("key").contains("dedicated");
            });
  }

  /** What the kernel says of the process, not what we asked podman for. */
  private static void assertHardened(String pid) throws Exception {
    List<String> status = Files.readAllLines(Path.of("/proc", pid, "status"));
    assertThat(status)
        .anyMatch(line -> line.matches("Uid:\\s+65532\\s+65532\\s+65532\\s+65532"))
        .anyMatch(line -> line.matches("CapEff:\\s+0+"))
        .anyMatch(line -> line.matches("CapBnd:\\s+0+"))
        .anyMatch(line -> line.matches("NoNewPrivs:\\s+1"));
    assertThat(Files.readString(Path.of("/proc", pid, "mountinfo")).lines())
        .filteredOn(line -> line.split(" ")[4].equals("/"))
        .isNotEmpty()
        .allMatch(line -> line.split(" ")[5].startsWith("ro"));
    assertThat(Path.of("/proc", pid, "root", "bin", "sh")).doesNotExist();
    assertThat(Files.readString(Path.of("/proc", pid, "maps"))).contains("nodekeeper.aot");
  }

  private static void tell(String pid, int nodes) throws Exception {
    String resident =
        Files.readAllLines(Path.of("/proc", pid, "status")).stream()
            .filter(line -> line.startsWith("VmRSS") || line.startsWith("VmHWM"))
            .reduce("", (a, b) -> a + " " + b.replaceAll("\\s+", " "));
    System.out.printf("image-test: %,d nodes:%s%n", nodes, resident);
  }

  private void register(int nodes) throws InterruptedException {
    var atOnce = new Semaphore(16);
    var made = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < nodes; i++) {
        var machine = Machine.named("n" + i).withLabels(Map.of("team", "t" + i % 7)).node();
        atOnce.acquire();
        threads.submit(
            () -> {
              int code = admin.create("/api/v1/nodes", machine).code();
              made.addAndGet(code == 201 || code == 409 ? 1 : 0);
              atOnce.release();
            });
      }
    }
    assertThat(made).hasValue(nodes);
  }

  private long records() {
    // NB: with a selector the server does not say how many remain.
    JsonNode page = admin.get(Installed.NAMESPACE + "/configmaps?limit=1").expect();
    return page.path("items").size() + page.at("/metadata/remainingItemCount").asLong();
  }
}
