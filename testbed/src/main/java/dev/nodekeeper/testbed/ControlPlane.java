package dev.nodekeeper.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;

/** A real etcd and kube-apiserver (and more when asked) as processes of this machine. */
public final class ControlPlane implements AutoCloseable {

  private static final String ADMIN = "admin";
  private static final String ADMINS = "system:masters";

  private final Options options;
  private final Layout layout;
  private final PartCommands commands;
  private final CertificateAuthority authority;
  private final PartProcesses processes;
  private final Kube admin;
  private final Map<String, Kube> clients = new ConcurrentHashMap<>();
  private final Optional<Process> folderGuard;
  private final Thread closeAtExit = new Thread(this::end, "testbed-close");
  private final AtomicBoolean ended = new AtomicBoolean();

  private ControlPlane(Options options, Layout layout, Ports ports) {
    this.options = options;
    this.layout = layout;
    // First, so that whatever fails from here on leaves no folder behind.
    this.folderGuard =
        options.folder().isEmpty() ? Optional.of(Leash.guard(layout.root())) : Optional.empty();
    var pki = Pki.in(layout.pki());
    this.commands =
        new PartCommands(layout, pki, ports, options.durability(), options.apiServerFlags());
    this.authority = pki.authority();
    this.processes = new PartProcesses(options, layout, commands, authority);
    this.admin = Kube.of(server(), authority.client(ADMIN, List.of(ADMINS)));
  }

  /** Starts the parts and returns when all of them answer. */
  public static ControlPlane start(Options options) {
    options.binaries().resolve(options.parts().stream().map(Part::tool).toList());
    var layout = options.folder().map(Layout::in).orElseGet(Layout::temporary);
    var earlier = State.read(layout);
    if (earlier.filter(State::anyAlive).isPresent()) {
      throw new IllegalStateException(
          "a control plane already runs in " + layout.root() + ": attach to it or close it first");
    }
    var ports = earlier.map(State::ports).filter(Ports::allFree).orElseGet(Ports::free);
    var plane = new ControlPlane(options, layout, ports);
    if (options.lifetime() == Options.Lifetime.WITH_THIS_JVM) {
      Runtime.getRuntime().addShutdownHook(plane.closeAtExit);
    }
    try {
      options.parts().stream().sorted().forEach(plane::start);
      return plane;
    } catch (RuntimeException e) {
      plane.close();
      throw e;
    }
  }

  /** The detached control plane that an earlier process started in this folder. */
  public static ControlPlane attach(Path folder) {
    var place = new Layout(folder.toAbsolutePath().normalize());
    var state =
        State.read(place)
            .filter(State::anyAlive)
            .orElseThrow(
                () -> new IllegalStateException("no control plane runs in " + place.root()));
    var plane = new ControlPlane(state.options(place.root()), place, state.ports());
    plane.processes.adopt(state);
    return plane;
  }

  public URI server() {
    return commands.server();
  }

  public Etcd etcd() {
    return new Etcd(commands.etcdAddress());
  }

  /** The folder with certificates, logs and data. */
  public Path folder() {
    return layout.root();
  }

  public Path log(Part part) {
    return layout.log(part.title());
  }

  public Path adminKubeconfig() {
    return kubeconfig(ADMIN, ADMINS);
  }

  /**
   * Writes a kubeconfig with a certificate for this user. A user has only the rights that somebody
   * binds to it; {@code system:node:NAME} in {@code system:nodes} gets its own from the Node
   * authorizer.
   */
  public Path kubeconfig(String user, String... groups) {
    return kubeconfig(layout.kubeconfig(user), server(), user, groups);
  }

  /** The same for another way to the API server, such as a proxy. */
  public Path kubeconfig(URI server, String user, String... groups) {
    return kubeconfig(layout.kubeconfig(user + "-" + server.getPort()), server, user, groups);
  }

  private Path kubeconfig(Path file, URI server, String user, String... groups) {
    var text = Kubeconfig.render(server, user, authority.client(user, List.of(groups)));
    try {
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  public Kube admin() {
    return admin;
  }

  /** A client with a certificate for this user; the same one for the same name and groups. */
  public Kube as(String user, String... groups) {
    var who = List.of(groups);
    return clients.computeIfAbsent(
        user + " " + who, _ -> Kube.of(server(), authority.client(user, who)));
  }

  /** A new client for another way to the API server; to be closed by who asked. */
  public Kube client(URI server, String user, String... groups) {
    return Kube.of(server, authority.client(user, List.of(groups)));
  }

  /** For what stands in the API server's place. */
  public SSLContext serverTls() {
    return authority.server().tls();
  }

  /** Shows this user's certificate to the API server. */
  public SSLContext clientTls(String user, String... groups) {
    return authority.client(user, List.of(groups)).tls();
  }

  /** Shows no certificate: a token may speak. */
  public SSLContext anonymousTls() {
    return authority.server().trust();
  }

  public AuditLog audit() {
    return AuditLog.of(layout.auditLog(), processes::servingSince);
  }

  /** Starts a part that does not run, on its old port and data, and waits until it answers. */
  public void start(Part part) {
    processes.start(part, adminKubeconfig());
  }

  /** SIGTERM, and kill -9 when that takes more than a few seconds. */
  public void stop(Part part) {
    processes.stop(part);
  }

  /** kill -9. */
  public void kill(Part part) {
    processes.kill(part);
  }

  /** kill -9 and start again. */
  public void restart(Part part) {
    kill(part);
    start(part);
  }

  /** SIGSTOP: connections stay open, nothing answers. */
  public void pause(Part part) {
    processes.pause(part);
  }

  public void resume(Part part) {
    processes.resume(part);
  }

  public boolean running(Part part) {
    return processes.isRunning(part);
  }

  public long pid(Part part) {
    return processes.process(part).id().pid();
  }

  Layout layout() {
    return layout;
  }

  Options options() {
    return options;
  }

  /** Ends every process; a temporary folder is removed, a given one is kept to start from again. */
  @Override
  public void close() {
    end();
    if (options.lifetime() == Options.Lifetime.WITH_THIS_JVM) {
      forgetHook();
    }
  }

  private void forgetHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(closeAtExit);
    } catch (IllegalStateException e) {
      // The JVM is going down and has started the hook, which finds nothing left to do.
      return;
    }
  }

  private void end() {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    processes.endAll();
    clients.values().forEach(Kube::close);
    admin.close();
    folderGuard.ifPresent(
        guard -> {
          layout.delete();
          guard.destroyForcibly();
        });
  }
}
