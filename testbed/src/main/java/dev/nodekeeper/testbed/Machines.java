package dev.nodekeeper.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps the machines of a detached control plane alive, in a process of its own.
 *
 * <p>The folder {@code machines} is the whole interface: {@code NAME.json} is a machine, and {@code
 * NAME.restart} asks its kubelet to start again. Without being asked a machine whose Node was
 * deleted stays away, as a real kubelet does.
 */
public final class Machines {

  private static final Duration HEARTBEAT = Duration.ofSeconds(10);
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final Duration RESTART_LIMIT = Duration.ofSeconds(30);

  private final Layout layout;
  private final ControlPlane plane;
  private final Map<String, KubeletStandIn> standIns = new HashMap<>();

  private Machines(ControlPlane plane) {
    this.plane = plane;
    this.layout = plane.layout();
  }

  /** Adds machines to the folder of a control plane; {@link #run} registers them. */
  public static void add(Path folder, List<Machine> machines) {
    try {
      var place = Files.createDirectories(place(folder));
      for (var machine : machines) {
        Json.write(place.resolve(machine.name() + ".json"), machine);
        requestRestart(folder, machine.name());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static List<String> names(Path folder) {
    return endingWith(folder, ".json");
  }

  /** Plays the machines until the control plane in this folder is closed. */
  public static void run(Path folder) {
    var machines = new Machines(ControlPlane.attach(folder));
    var nextHeartbeat = System.nanoTime();
    while (State.read(machines.layout).filter(State::anyAlive).isPresent()) {
      machines.startAsked();
      if (System.nanoTime() >= nextHeartbeat) {
        machines.heartbeat();
        nextHeartbeat = System.nanoTime() + HEARTBEAT.toNanos();
      }
      Wait.pause(LOOK);
    }
  }

  /** Deletes the Node, starts the machine's kubelet again and waits for the new Node. */
  public static void restart(Path folder, String name) {
    if (!names(folder).contains(name)) {
      throw new IllegalArgumentException(
          "there is no machine " + name + "; there are " + names(folder));
    }
    var admin = ControlPlane.attach(folder).admin();
    var path = Machine.named(name).path();
    var before = admin.get(path).uid();
    if (!before.isEmpty()) {
      admin.delete(path).expect();
    }
    requestRestart(folder, name);
    var back =
        Wait.until(
            RESTART_LIMIT,
            () -> {
              var node = admin.get(path);
              return node.ok() && !node.uid().equals(before);
            });
    if (!back) {
      throw new IllegalStateException(
          "machine " + name + " did not register again: does the process that plays it run?");
    }
  }

  private static void requestRestart(Path folder, String name) {
    try {
      Files.writeString(place(folder).resolve(name + ".restart"), "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void startAsked() {
    for (var name : endingWith(layout.root(), ".restart")) {
      try {
        var machine = Json.read(place(layout.root()).resolve(name + ".json"), Machine.class);
        var standIn = KubeletStandIn.of(plane, machine);
        standIn.register();
        standIns.put(name, standIn);
        Files.deleteIfExists(place(layout.root()).resolve(name + ".restart"));
      } catch (KubeException | IOException | UncheckedIOException e) {
        // The request stays in the folder: the next round tries again.
        System.err.println("machine " + name + " cannot register: " + e.getMessage());
      }
    }
  }

  private void heartbeat() {
    for (var standIn : standIns.values()) {
      try {
        var reply = standIn.heartbeat();
        if (!reply.ok()) {
          System.err.println("machine " + standIn.name() + ": " + reply.message());
        }
      } catch (KubeException e) {
        System.err.println("machine " + standIn.name() + ": " + e.getMessage());
      }
    }
  }

  private static List<String> endingWith(Path folder, String suffix) {
    if (!Files.isDirectory(place(folder))) {
      return List.of();
    }
    try (var files = Files.list(place(folder))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(suffix))
          .map(file -> file.substring(0, file.length() - suffix.length()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path place(Path folder) {
    return folder.resolve("machines");
  }
}
