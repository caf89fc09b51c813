package dev.nodekeeper.cli.up;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The end of a log, for a message: the log itself may be gone when the message is read. */
final class Tail {
  private static final int LINES = 15;

  private Tail() {}

  static String of(Path log) {
    try {
      List<String> lines = Files.readAllLines(log);
      return "\n  "
          + String.join("\n  ", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    } catch (IOException e) {
      return "(no log: " + e.getMessage() + ")";
    }
  }
}
