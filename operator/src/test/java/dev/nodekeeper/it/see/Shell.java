package dev.nodekeeper.it.see;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** A person's shell at the root of the checkout. */
final class Shell {
  private Shell() {}

  /** How a command ended, and all that it said. */
  record Ran(int code, String output) {}

  static Ran run(Map<String, String> environment, String... command) {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(Path.of("..").toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Ran(process.waitFor(), output);
    } catch (IOException e) {
      throw new UncheckedIOException("is it installed? `make deps`", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
