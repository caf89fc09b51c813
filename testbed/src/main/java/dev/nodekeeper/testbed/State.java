package dev.nodekeeper.testbed;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What is written to disk so that a later process finds a control plane, running or stopped. */
record State(
    Ports ports,
    Set<Part> parts,
    Options.Durability durability,
    List<String> apiServerFlags,
    Map<Part, ChildProcess.Id> processes) {

  static Optional<State> read(Layout layout) {
    return Files.exists(layout.state())
        ? Optional.of(Json.read(layout.state(), State.class))
        : Optional.empty();
  }

  boolean anyAlive() {
    return processes.values().stream().anyMatch(id -> ChildProcess.find(id).isPresent());
  }

  /** The options to go on with in a later process, which has binaries of its own to find. */
  Options options(Path folder) {
    return new Options(
        Optional.of(folder),
        parts,
        durability,
        Options.Lifetime.DETACHED,
        apiServerFlags,
        Options.defaults().binaries());
  }
}
