package dev.nodekeeper.cli.up;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.nodekeeper.cli.ProblemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What an {@code up} writes down, so that a later command finds it.
 *
 * @param starter the process that is setting it up, or did
 * @param ready set up to the end
 * @param kubeconfig of the administrator
 * @param kubectl the program
 * @param port of the controller's /metrics
 * @param console likewise of its pages
 * @param processes by name
 */
record UpState(
    Detached.Id starter,
    boolean ready,
    String kubeconfig,
    String kubectl,
    int port,
    int console,
    Map<String, Detached.Id> processes) {

  private static final JsonMapper MAPPER = new JsonMapper();

  static UpState begun() {
    return new UpState(Detached.Id.ofThisProcess(), false, "", "", 0, 0, Map.of());
  }

  UpState at(String kubeconfigFile, String kubectlProgram, int metricsPort, int consolePort) {
    return new UpState(
        starter, ready, kubeconfigFile, kubectlProgram, metricsPort, consolePort, processes);
  }

  UpState with(String name, Detached.Id process) {
    Map<String, Detached.Id> more = new TreeMap<>(processes);
    more.put(name, process);
    return new UpState(starter, ready, kubeconfig, kubectl, port, console, more);
  }

  UpState complete() {
    return new UpState(starter, true, kubeconfig, kubectl, port, console, processes);
  }

  boolean running() {
    return ready && processes.values().stream().anyMatch(Detached::alive);
  }

  /** Another command is at it right now. */
  boolean beingSetUp() {
    return !ready && starter.pid() != ProcessHandle.current().pid() && Detached.alive(starter);
  }

  static Optional<UpState> read(UpFolder folder) {
    try {
      return Optional.of(MAPPER.readValue(Files.readAllBytes(folder.state()), UpState.class));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw ProblemException.failed(
          "cannot read %s: %s. End its processes by hand and remove the folder"
              .formatted(folder.state(), e.getMessage()));
    }
  }

  /** A reader sees the old file or the new one, never half of one. */
  void write(UpFolder folder) {
    try {
      Path temporary = folder.state().resolveSibling(".up.json");
      Files.write(temporary, MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(this));
      Files.move(temporary, folder.state(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + folder.state(), e);
    }
  }
}
