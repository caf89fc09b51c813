package dev.nodekeeper.cli.up;

import dev.nodekeeper.cli.ProblemException;
import dev.nodekeeper.cli.Screen;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs the real kubectl, and shows what is run. */
final class Kubectl {
  private final Screen screen;
  private final String program;
  private final Map<String, String> env;

  Kubectl(Screen screen, UpFolder folder, UpState state) {
    this.screen = screen;
    this.program = state.kubectl();
    // Its cache would else be in the person's home, and stay there.
    this.env =
        Map.of("KUBECONFIG", state.kubeconfig(), "KUBECACHEDIR", folder.kubectlCache().toString());
  }

  /** Shows the command and what it says. */
  void show(String... arguments) {
    announce(arguments);
    quietly(arguments).forEach(line -> screen.line("    " + line));
  }

  void announce(String... arguments) {
    screen.line("  " + screen.bold("$ kubectl " + String.join(" ", arguments)));
  }

  List<String> quietly(String... arguments) {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(List.of(arguments));
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(env);
      Process process = builder.start();
      process.getOutputStream().close();
      try (InputStream output = process.getInputStream()) {
        List<String> lines =
            new String(output.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        if (process.waitFor() != 0) {
          throw ProblemException.failed(
              "kubectl %s failed: %s"
                  .formatted(String.join(" ", arguments), String.join("; ", lines)));
        }
        return lines;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + program, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ProblemException.failed("interrupted");
    }
  }
}
