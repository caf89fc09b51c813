package dev.nodekeeper.cli.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Kube;
import dev.nodekeeper.testbed.Machine;
import dev.nodekeeper.testbed.Options;
import dev.nodekeeper.testbed.Patch;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
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
import org.junit.jupiter.api.io.TempDir;

/** Needs podman, and the image: {@code make image image-test}. */
@Tag("image")
@DisplayName("The image, as a cluster runs it: read-only, no capability, the token of its account")
final class ImageIT {
  private static final Duration HANG = Duration.ofMinutes(5);
  private static final String IMAGE = System.getProperty("nodekeeper.image", "nodekeeper:latest");

  private final ControlPlane plane = ControlPlane.start(Options.defaults());
  private final Kube admin = plane.admin();
  private final String name = "nodekeeper-image-test-" + ProcessHandle.current().pid();
  private final List<Process> started = new ArrayList<>();
  @TempDir Path folder;

  @AfterEach
  void end() throws Exception {
    for (Process process : started) {
      process.destroy();
      process.waitFor(20, TimeUnit.SECONDS);
    }
    plane.close();
  }

  @Test
  @DisplayName("starts, keeps, gives back, and ends well; its size is told")
  void life() throws Exception {
    Installed installed = Installed.on(plane, "single");
    // Another user reads it, as in a pod.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path account = installed.account("nodekeeper", folder.resolve("account"));
    int port = freePort();

    long begun = System.nanoTime();
    Process process = start(account, port);
    await("ready")
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(10))
        .atMost(HANG)
        .until(() -> running(process) && Installed.ready(port));
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    assertHardened();
    System.out.printf("image-test: ready %d ms after podman was asked to run it%n", millis);

    tell(0);
    returns();
    for (int nodes : List.of(1_000, 10_000)) {
      register(nodes);
      await("records of all nodes")
          .pollInterval(Duration.ofSeconds(1))
          .atMost(HANG)
          .until(() -> records() >= nodes);
      tell(nodes);
    }
    process.destroy();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("it ends").isTrue();
    assertThat(process.exitValue()).isZero();
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

  private Process start(Path account, int port) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of("podman", "--runtime=runc", "run", "--rm", "--name=" + name, "--network=host"));
    // What the sandbox of a build machine allows at most.
    command.addAll(List.of("--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024"));
    command.addAll(
        List.of(
            "--read-only",
            "--read-only-tmpfs=false",
            "--cap-drop=all",
            "--security-opt=no-new-privileges",
            "--volume=" + account + ":/var/run/secrets/kubernetes.io/serviceaccount:ro",
            "--env=KUBERNETES_SERVICE_HOST=" + plane.server().getHost(),
            "--env=KUBERNETES_SERVICE_PORT=" + plane.server().getPort(),
            "--env=NODEKEEPER_NAMESPACE=nodekeeper",
            "--env=NODEKEEPER_HTTP_PORT=" + port,
            IMAGE));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(new File("target", "image-test.log"))
            .start();
    started.add(process);
    return process;
  }

  private static boolean running(Process process) {
    if (!process.isAlive()) {
      throw new IllegalStateException("it ended at once; see target/image-test.log");
    }
    return true;
  }

  /** What the kernel says of the process, not what we asked podman for. */
  private void assertHardened() throws Exception {
    List<String> status = Files.readAllLines(Path.of("/proc", pid(), "status"));
    assertThat(status)
        .anyMatch(line -> line.matches("Uid:\\s+65532\\s+65532\\s+65532\\s+65532"))
        .anyMatch(line -> line.matches("CapEff:\\s+0+"))
        .anyMatch(line -> line.matches("CapBnd:\\s+0+"))
        .anyMatch(line -> line.matches("NoNewPrivs:\\s+1"));
    assertThat(Files.readString(Path.of("/proc", pid(), "mountinfo")).lines())
        .filteredOn(line -> line.split(" ")[4].equals("/"))
        .isNotEmpty()
        .allMatch(line -> line.split(" ")[5].startsWith("ro"));
    assertThat(Path.of("/proc", pid(), "root", "bin", "sh")).doesNotExist();
    assertThat(Files.readString(Path.of("/proc", pid(), "maps"))).contains("nodekeeper.aot");
  }

  private String pid() throws Exception {
    return Installed.run(List.of("podman", "inspect", "--format={{.State.Pid}}", name)).strip();
  }

  private void tell(int nodes) throws Exception {
    String resident =
        Files.readAllLines(Path.of("/proc", pid(), "status")).stream()
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

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
