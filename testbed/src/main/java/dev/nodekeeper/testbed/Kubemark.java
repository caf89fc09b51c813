package dev.nodekeeper.testbed;

import dev.nodekeeper.testbed.binaries.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Real kubelet code without containers; as root it registers and turns Ready within seconds. */
public final class Kubemark implements AutoCloseable {

  private static final Duration READY_LIMIT = Duration.ofSeconds(60);
  private static final Duration STOP_GRACE = Duration.ofSeconds(3);

  private final ControlPlane plane;
  private final Machine machine;
  private final Path log;
  private final List<String> command;
  private ChildProcess process;

  private Kubemark(ControlPlane plane, Machine machine) {
    this.plane = plane;
    this.machine = machine;
    this.log = plane.layout().log("kubemark-" + machine.name());
    this.command = command(plane, machine);
    this.process = launch();
  }

  /** Starts the kubelet; it registers with these labels, which must be ones a kubelet may set. */
  public static Kubemark start(ControlPlane plane, String name, Map<String, String> labels) {
    return new Kubemark(plane, Machine.named(name).withLabels(labels));
  }

  private static List<String> command(ControlPlane plane, Machine machine) {
    var ports = Ports.free(2);
    var labels =
        machine.labels().entrySet().stream()
            .map(label -> label.getKey() + "=" + label.getValue())
            .collect(Collectors.joining(","));
    return List.of(
        plane.options().binaries().path(Tool.KUBEMARK).toString(),
        "--morph=kubelet",
        "--name=" + machine.name(),
        "--kubeconfig=" + plane.kubeconfig(machine.user(), "system:nodes"),
        "--kubelet-port=" + ports[0],
        "--kubelet-read-only-port=" + ports[1],
        "--use-host-image-service=false",
        "--node-labels=" + labels);
  }

  private ChildProcess launch() {
    return ChildProcess.start(command, log, plane.options().lifetime());
  }

  public String name() {
    return machine.name();
  }

  public Path log() {
    return log;
  }

  public boolean running() {
    return process.alive();
  }

  /** Waits until its Node says Ready, and returns that Node. */
  public Reply awaitReady() {
    var path = machine.path();
    Wait.until(READY_LIMIT, () -> !running() || ready(plane.admin().get(path)));
    var node = plane.admin().get(path);
    if (!ready(node)) {
      throw new StartFailedException("kubemark " + name(), log);
    }
    return node;
  }

  private static boolean ready(Reply node) {
    for (var condition : node.body().path("status").path("conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  /** SIGTERM, and kill -9 when that takes more than a few seconds. */
  public void stop() {
    process.terminate(STOP_GRACE);
  }

  /** kill -9. */
  public void kill() {
    process.kill();
  }

  /** The kubelet process ends and starts again; the Node is nobody's business here. */
  public void restart() {
    kill();
    process = launch();
  }

  /** Ends the process; its Node stays. */
  @Override
  public void close() {
    kill();
  }
}
