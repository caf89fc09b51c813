package dev.nodekeeper.cli.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process that was run to its end, without a terminal. */
record Ran(int exitCode, String out, String err) {
  private static final int LIMIT_SECONDS = 300;

  /** The checkout that this test belongs to. */
  static Path repository() {
    return Path.of("..").toAbsolutePath().normalize();
  }

  static Ran of(Path folder, Map<String, String> env, List<String> command)
      throws IOException, InterruptedException {
    Path output = Files.createTempDirectory("ran-");
    try {
      Process process = start(folder, env, command, output);
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException("still running: " + command);
      }
      return new Ran(
          process.exitValue(),
          Files.readString(output.resolve("out")),
          Files.readString(output.resolve("err")));
    } finally {
      delete(output);
    }
  }

  /** Into the files {@code out} and {@code err} of a folder. */
  static Process start(Path folder, Map<String, String> env, List<String> command, Path output)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(output.resolve("out").toFile())
            .redirectError(output.resolve("err").toFile());
    env.forEach(
        (name, value) -> {
          if (value.isEmpty()) {
            builder.environment().remove(name);
          } else {
            builder.environment().put(name, value);
          }
        });
    return builder.start();
  }

  private static void delete(Path folder) throws IOException {
    try (var below = Files.walk(folder)) {
      for (Path path : below.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
