package dev.nodekeeper.testbed.binaries;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;

/** A place that can provide programs we do not have yet. */
interface Source {

  /** What a person reads in the list of things that were tried. */
  String description();

  Set<Tool> offers();

  /**
   * Puts the wanted programs into {@code target}, each under its file name and only when whole.
   * {@code scratch} is an empty folder that is deleted afterwards.
   */
  void fetch(Set<Tool> wanted, Path scratch, Path target, Consumer<String> progress)
      throws IOException, InterruptedException;
}
