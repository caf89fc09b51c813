package dev.nodekeeper.cli.up;

import dev.nodekeeper.testbed.ControlPlane;

/** Ends everything that an {@code up} started, and removes its folder. */
final class Teardown {
  private final UpFolder folder;

  Teardown(UpFolder folder) {
    this.folder = folder;
  }

  /** False when there is nothing. */
  boolean run() {
    if (!folder.claimed()) {
      return false;
    }
    UpState.read(folder).ifPresent(state -> Detached.end(state.processes().values()));
    LocalCluster.controlPlane(folder).ifPresent(ControlPlane::close);
    folder.delete();
    return true;
  }
}
