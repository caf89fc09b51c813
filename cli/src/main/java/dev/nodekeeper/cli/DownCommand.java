package dev.nodekeeper.cli;

import dev.nodekeeper.cli.up.LocalUp;
import dev.nodekeeper.cli.up.UpFolder;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** The end of {@link UpCommand}. */
@Command(name = "down", description = "End everything that `up` started, and remove its folder.")
final class DownCommand implements Callable<Integer> {
  private final Screen screen;
  private final Map<String, String> env;

  DownCommand(Screen screen, Map<String, String> env) {
    this.screen = screen;
    this.env = env;
  }

  @Override
  public Integer call() {
    return new LocalUp(screen, UpFolder.of(env)).down();
  }
}
