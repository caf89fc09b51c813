package dev.nodekeeper.testbed.binaries;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs a program to its end; a seam so that tests need neither Go nor a network. */
@FunctionalInterface
interface CommandRunner {

  Outcome run(List<String> command, Path folder, Map<String, String> environment)
      throws IOException, InterruptedException;

  static CommandRunner system() {
    return (command, folder, environment) -> {
      var builder =
          new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
      builder.environment().clear();
      builder.environment().putAll(environment);
      var process = builder.start();
      try {
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), output);
      } finally {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
      }
    };
  }
}
