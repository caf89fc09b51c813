package dev.nodekeeper.it.fault;

import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Options;
import dev.nodekeeper.testbed.Part;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** One control plane for all tests that kill, stop or starve parts of it. */
final class FaultPlane {
  private FaultPlane() {}

  private static final class Holder {
    static final ControlPlane PLANE = ControlPlane.start(Options.defaults());
  }

  static ControlPlane get() {
    return Holder.PLANE;
  }

  /** The command line of a part as it runs now. */
  static List<String> command(Part part) {
    try {
      Path file = Path.of("/proc", Long.toString(get().pid(part)), "cmdline");
      return List.of(Files.readString(file).split("\0"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
