package dev.nodekeeper.cli.up;

import dev.nodekeeper.cli.ProblemException;
import dev.nodekeeper.cli.Screen;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Kube;
import dev.nodekeeper.testbed.Kwok;
import dev.nodekeeper.testbed.Machine;
import dev.nodekeeper.testbed.Machines;
import dev.nodekeeper.testbed.Options;
import dev.nodekeeper.testbed.Part;
import dev.nodekeeper.testbed.Ports;
import dev.nodekeeper.testbed.binaries.Binaries;
import dev.nodekeeper.testbed.binaries.Tool;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Sets up what {@code up} leaves running: control plane, machines, controller. */
final class LocalCluster {
  static final String NAMESPACE = "nodekeeper";
  static final String CONTROLLER = "nodekeeper";
  static final String MACHINES = "machines";
  static final String KWOK = "kwok";
  static final List<String> NAMES = List.of("worker-1", "worker-2", "my-new-node");

  private static final int CONSOLE = 8081;
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private final Screen screen;
  private final UpFolder folder;
  private UpState state;

  LocalCluster(Screen screen, UpFolder folder, UpState state) {
    this.screen = screen;
    this.folder = folder;
    this.state = state;
  }

  /** The one that runs in this folder, if any part of it does. */
  static Optional<ControlPlane> controlPlane(UpFolder folder) {
    try {
      return Optional.of(ControlPlane.attach(folder.root()));
    } catch (IllegalStateException e) {
      return Optional.empty();
    }
  }

  UpState start(Extent extent) {
    if (extent == Extent.FULL) {
      Prometheus.demand();
    }
    var tools = EnumSet.of(Tool.ETCD, Tool.KUBE_APISERVER, Tool.KUBECTL);
    if (extent == Extent.FULL) {
      tools.addAll(EnumSet.of(Tool.KUBE_CONTROLLER_MANAGER, Tool.KUBE_SCHEDULER, Tool.KWOK));
    }
    Binaries binaries = Binaries.fromEnvironment(line -> screen.line("    " + line));
    String kubectl = binaries.resolve(tools).get(Tool.KUBECTL) + "";
    Options options = Options.defaults().using(binaries).detached(folder.root());
    if (extent == Extent.FULL) {
      options = options.with(Part.CONTROLLER_MANAGER).with(Part.SCHEDULER);
    }
    screen.line(
        extent == Extent.FULL
            ? "Starting etcd, kube-apiserver, kube-controller-manager, kube-scheduler and kwok"
            : "Starting etcd and kube-apiserver");
    ControlPlane plane = ControlPlane.start(options);
    remember(
        state.at(
            plane.adminKubeconfig().toString(), kubectl, Ports.one(), Ports.preferring(CONSOLE)));

    Program program = Program.copiedInto(folder);
    screen.line("Starting machines " + String.join(", ", NAMES));
    Machines.add(folder.root(), NAMES.stream().map(Machine::named).toList());
    startMachines(program);
    if (extent == Extent.FULL) {
      startKwok(plane, binaries);
    }

    grantRights();
    screen.line("Starting nodekeeper run, as user nodekeeper with its own rights only");
    startController(program, plane);

    awaitNodes(plane.admin());
    awaitController();
    if (extent == Extent.FULL) {
      screen.line("Starting Prometheus");
      startPrometheus();
      demandAlive(Prometheus.NAME);
    }
    remember(state.complete());
    return state;
  }

  /** Starts again what has ended since, for example by a person who tried what happens then. */
  UpState repair() {
    ControlPlane plane = ControlPlane.attach(folder.root());
    boolean full = state.processes().containsKey(KWOK);
    for (Part part : full ? EnumSet.allOf(Part.class) : EnumSet.of(Part.ETCD, Part.APISERVER)) {
      if (!plane.running(part)) {
        screen.line("The control plane had stopped: starting it again");
        plane.start(part);
      }
    }
    Program program = Program.alreadyIn(folder);
    if (stopped(MACHINES)) {
      screen.line("The machines had stopped: starting them again");
      startMachines(program);
    }
    if (full && stopped(KWOK)) {
      screen.line("kwok had stopped: starting it again");
      startKwok(plane, Binaries.fromEnvironment(screen::line));
    }
    if (stopped(CONTROLLER)) {
      screen.line("nodekeeper run had stopped: starting it again");
      startController(program, plane);
      awaitController();
    }
    if (state.processes().containsKey(Prometheus.NAME) && stopped(Prometheus.NAME)) {
      screen.line("Prometheus had stopped: starting it again");
      startPrometheus();
    }
    return state;
  }

  private boolean stopped(String name) {
    Detached.Id id = state.processes().get(name);
    return id == null || !Detached.alive(id);
  }

  private void startMachines(Program program) {
    remember(state.with(MACHINES, program.start(MACHINES, "machines", folder.root().toString())));
  }

  private void startKwok(ControlPlane plane, Binaries binaries) {
    remember(
        state.with(
            KWOK,
            Detached.start(
                Kwok.pods(plane, binaries), folder.root().toString(), folder.log(KWOK))));
  }

  /** For a while in which nobody keeps the nodes. */
  void stopController() {
    Detached.end(List.of(Objects.requireNonNull(state.processes().get(CONTROLLER))));
  }

  /** Other settings come from the environment, so that a person can try them. */
  private void startController(Program program, ControlPlane plane) {
    String kubeconfig = plane.kubeconfig(CONTROLLER).toString();
    Detached.Id id =
        program.start(
            CONTROLLER,
            "run",
            "--kubeconfig=" + kubeconfig,
            "--namespace=" + NAMESPACE,
            "--http-port=" + state.port(),
            "--console=127.0.0.1:" + state.console());
    remember(state.with(CONTROLLER, id));
  }

  private void startPrometheus() {
    remember(state.with(Prometheus.NAME, new Prometheus(folder).start(state.port())));
  }

  private void grantRights() {
    Kubectl kubectl = new Kubectl(screen, folder, state);
    for (String name : List.of("rights.yaml", "console.yaml")) {
      Path file = folder.root().resolve(name);
      try (InputStream rights = LocalCluster.class.getResourceAsStream(name)) {
        Files.copy(Objects.requireNonNull(rights), file, StandardCopyOption.REPLACE_EXISTING);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot write " + file, e);
      }
      kubectl.quietly("create", "-f", file.toString());
    }
  }

  private void awaitNodes(Kube admin) {
    Patience.await(
        START_LIMIT,
        () -> "the machines did not register: " + Tail.of(folder.log(MACHINES)),
        () -> {
          demandAlive(MACHINES);
          return NAMES.stream().allMatch(name -> admin.get("/api/v1/nodes/" + name).ok());
        });
  }

  private void awaitController() {
    Readiness readiness = new Readiness(state.port());
    Patience.await(
        START_LIMIT,
        () -> "nodekeeper run did not get ready: " + Tail.of(folder.log(CONTROLLER)),
        () -> {
          demandAlive(CONTROLLER);
          return readiness.ready();
        });
  }

  private void demandAlive(String name) {
    if (stopped(name)) {
      throw ProblemException.failed(
          "the process '%s' ended at once. The end of its log: %s"
              .formatted(name, Tail.of(folder.log(name))));
    }
  }

  private void remember(UpState next) {
    state = next;
    state.write(folder);
  }
}
