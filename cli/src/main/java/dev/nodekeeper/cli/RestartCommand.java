package dev.nodekeeper.cli;

import dev.nodekeeper.cli.up.LocalUp;
import dev.nodekeeper.cli.up.UpFolder;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** For {@code make restart-worker}: a machine of {@code up} leaves and returns. */
@Command(
    name = "restart",
    hidden = true,
    description = "Delete the Node of a machine of `up`, and let the machine register again.")
final class RestartCommand implements Callable<Integer> {
  private final Screen screen;
  private final Map<String, String> env;

  @Parameters(paramLabel = "MACHINE", description = "Name of the machine.")
  private String machine;

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls us
  RestartCommand(Screen screen, Map<String, String> env) {
    this.screen = screen;
    this.env = env;
  }

  @Override
  public Integer call() {
    return new LocalUp(screen, UpFolder.of(env)).restart(machine);
  }
}
