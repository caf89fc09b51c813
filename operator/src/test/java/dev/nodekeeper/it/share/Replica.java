package dev.nodekeeper.it.share;

import static org.awaitility.Awaitility.await;

import dev.nodekeeper.it.Rights;
import dev.nodekeeper.it.RunProcess;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Ports;
import dev.nodekeeper.testbed.Probe;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A process that dies and comes back, under a user and a host name of its own. */
final class Replica {

  final String user;
  private final World world;
  private final String name;
  private final Map<String, String> environment;
  private final List<String> flags;
  private Process process;
  private int lives;
  private int port;

  private Replica(World world, String name, Map<String, String> environment, List<String> flags) {
    this.world = world;
    this.name = name;
    this.user = world.user + "-" + name;
    this.environment = environment;
    this.flags = flags;
    Rights.grant(world.admin, user, world.namespace);
  }

  static Replica start(World world, String name, String... flags) {
    return start(world, name, Map.of(), flags);
  }

  static Replica start(World world, String name, Map<String, String> environment, String... flags) {
    Replica replica = new Replica(world, name, environment, List.of(flags));
    replica.start();
    return replica;
  }

  void start() {
    port = Ports.one();
    List<String> all = new ArrayList<>(flags);
    all.add("--http-port=" + port);
    all.add("--console=off");
    all.add("--kubeconfig=" + world.plane.kubeconfig(user));
    var builder =
        new ProcessBuilder(
            RunProcess.command(world, List.of("-Xmx256m"), all.toArray(String[]::new)));
    lives++;
    builder.environment().putAll(environment);
    builder.environment().put("HOSTNAME", host());
    process = RunProcess.start(world, builder);
  }

  /** What its leases say, before the random part. */
  private String host() {
    return name + "-" + lives;
  }

  boolean holds(String holder) {
    return holder.startsWith(host() + "_");
  }

  /** kill -9. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** SIGTERM; returns at once. */
  void terminate() {
    process.destroy();
  }

  void awaitEnd() {
    process.onExit().join();
  }

  void freeze() {
    RunProcess.signal(process, "STOP");
  }

  void thaw() {
    RunProcess.signal(process, "CONT");
  }

  void awaitReady() {
    // A JVM takes its time where every look at the clock goes through a library.
    await(name + " is ready").atMost(World.HANG.multipliedBy(3)).until(() -> Probe.ready(port));
  }
}
