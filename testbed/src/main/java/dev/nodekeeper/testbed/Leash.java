package dev.nodekeeper.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Ties a process or a folder to this JVM's life. The pipe to its standard input closes when the JVM
 * ends, also by kill -9, and a waiting shell then cleans up.
 */
final class Leash {

  /** The program replaces the outer shell and so keeps its pid; the inner shell stays to watch. */
  private static final String TIE_PROCESS =
      """
      exec 3<&0 </dev/null
      program=$$
      ( trap '' HUP INT TERM; read -r _ <&3; kill -9 "$program" ) >/dev/null 2>&1 &
      exec 3<&-
      exec "$@"
      """;

  /** Several rounds: processes that write below the folder are ended at the same moment. */
  private static final String TIE_FOLDER =
      """
      trap '' HUP INT TERM
      read -r _
      rounds=0
      while [ -e "$1" ] && [ $rounds -lt 50 ]; do
        rm -rf -- "$1" 2>/dev/null || sleep 0.1
        rounds=$((rounds + 1))
      done
      """;

  /** A session of its own, so that closing the terminal does not reach it. */
  private static final String LET_GO =
      """
      if command -v setsid >/dev/null; then exec setsid "$@"; fi
      trap '' HUP
      exec "$@"
      """;

  private Leash() {}

  static List<String> tied(List<String> command) {
    return shell(TIE_PROCESS, command);
  }

  static List<String> letGo(List<String> command) {
    return shell(LET_GO, command);
  }

  /** Removes the folder when this JVM has died without doing so. */
  static Process guard(Path folder) {
    try {
      return new ProcessBuilder(shell(TIE_FOLDER, List.of(folder.toString())))
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> shell(String script, List<String> arguments) {
    var command = new ArrayList<>(List.of("sh", "-c", script, "nodekeeper-testbed"));
    command.addAll(arguments);
    return command;
  }
}
