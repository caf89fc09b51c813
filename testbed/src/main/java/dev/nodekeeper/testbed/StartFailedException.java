package dev.nodekeeper.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A process did not get ready; the message ends with the last lines of its log. */
public final class StartFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;
  private static final int LINES = 25;

  StartFailedException(String program, Path log) {
    super(program + " did not start. The end of " + log + ":\n" + tail(log));
  }

  private static String tail(Path log) {
    try (var lines = Files.lines(log)) {
      var all = lines.toList();
      return String.join("\n", all.subList(Math.max(0, all.size() - LINES), all.size()));
    } catch (IOException e) {
      return "(not readable: " + e + ")";
    }
  }
}
