package dev.nodekeeper.cli;

import dev.nodekeeper.api.Build;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Which build this is, and what it runs on. */
@Command(name = "version", description = "Show the version of nodekeeper and of its Java.")
final class VersionCommand implements Callable<Integer> {
  private final Screen screen;

  VersionCommand(Screen screen) {
    this.screen = screen;
  }

  @Override
  public Integer call() {
    screen.line("nodekeeper %s (Java %s)".formatted(Build.VERSION, Runtime.version()));
    return ExitCode.OK;
  }
}
