package dev.nodekeeper.cli;

import dev.nodekeeper.testbed.Machines;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The process of {@code up} that plays the kubelets of its machines. */
@Command(
    name = "machines",
    hidden = true,
    description = "Play the machines of `up` until its control plane is gone.")
final class MachinesCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FOLDER", description = "The folder of `up`.")
  private Path folder;

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls us
  MachinesCommand() {}

  @Override
  public Integer call() {
    Machines.run(folder);
    return ExitCode.OK;
  }
}
