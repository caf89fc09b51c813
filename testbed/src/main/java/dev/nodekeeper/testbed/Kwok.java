package dev.nodekeeper.testbed;

import dev.nodekeeper.testbed.binaries.Binaries;
import dev.nodekeeper.testbed.binaries.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Nodes on which pods run without containers: for tests that need pods which become Ready. */
public final class Kwok implements AutoCloseable {

  /** When a pod that runs is Ready. */
  public enum Ready {
    AT_ONCE("True"),
    /** When a test says so, in its status. */
    WHEN_TOLD("False");

    private final String condition;

    Ready(String condition) {
      this.condition = condition;
    }
  }

  private static final String STAGES = "kwok-stages.yaml";

  private final ChildProcess process;

  private Kwok(ChildProcess process) {
    this.process = process;
  }

  /**
   * The command of one that lets pods run on the nodes there are, whoever plays those, as a process
   * of who asks.
   */
  public static List<String> pods(ControlPlane plane, Binaries binaries) {
    return List.of(
        binaries.path(Tool.KWOK).toString(),
        "--kubeconfig=" + plane.adminKubeconfig(),
        "--manage-all-nodes=true",
        // Their leases are their kubelets' own.
        "--node-lease-duration-seconds=0",
        "--config=" + stages(plane, Ready.AT_ONCE));
  }

  private static Path stages(ControlPlane plane, Ready ready) {
    var stages = plane.folder().resolve(STAGES);
    try (var source = Kwok.class.getResourceAsStream(STAGES)) {
      var text = new String(Objects.requireNonNull(source).readAllBytes(), StandardCharsets.UTF_8);
      return Files.writeString(stages, text.replace("PODS_READY", ready.condition));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts kwok and gives it nodes of these names. */
  public static Kwok start(ControlPlane plane, String... nodes) {
    return start(plane, Ready.AT_ONCE, nodes);
  }

  public static Kwok start(ControlPlane plane, Ready ready, String... nodes) {
    for (var node : nodes) {
      plane.admin().create("/api/v1/nodes", node(node)).expect();
    }
    var command =
        List.of(
            plane.options().binaries().path(Tool.KWOK).toString(),
            "--kubeconfig=" + plane.adminKubeconfig(),
            "--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake",
            "--node-lease-duration-seconds=40",
            "--config=" + stages(plane, ready));
    var log = plane.layout().log("kwok");
    return new Kwok(ChildProcess.start(command, log, plane.options().lifetime()));
  }

  private static String node(String name) {
    return """
        {"apiVersion": "v1", "kind": "Node",
         "metadata": {"name": "%s", "annotations": {"kwok.x-k8s.io/node": "fake"}}}
        """
        .formatted(name);
  }

  public boolean running() {
    return process.alive();
  }

  @Override
  public void close() {
    process.kill();
  }
}
