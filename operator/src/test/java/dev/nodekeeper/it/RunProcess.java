package dev.nodekeeper.it;

import dev.nodekeeper.Nodekeeper;
import dev.nodekeeper.config.Settings;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code nodekeeper run} as a process of its own, for tests that kill or measure it. */
public final class RunProcess {
  private RunProcess() {}

  public static Process start(World world, String... flags) {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "-XX:+UseCompactObjectHeaders",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                RunProcess.class.getName()));
    command.addAll(world.arguments(flags));
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(
                  ProcessBuilder.Redirect.appendTo(
                      new File("target", "run-" + world.namespace + ".log")))
              .start();
      world.closeLater(() -> process.destroyForcibly().waitFor());
      return process;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static void main(String[] args) throws Exception {
    Map<String, List<String>> flags = new HashMap<>();
    for (String arg : args) {
      int is = arg.indexOf('=');
      flags
          .computeIfAbsent(arg.substring(0, is), _ -> new ArrayList<>())
          .add(arg.substring(is + 1));
    }
    System.exit(Nodekeeper.run(Settings.parse(flags, Map.of())));
  }
}
