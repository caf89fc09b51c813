package dev.nodekeeper.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The same as {@code --help}, for those who type it in front. */
@Command(name = "help", description = "Show the help of nodekeeper or of one of its commands.")
final class HelpCommand implements Callable<Integer> {
  private final Screen screen;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "COMMAND", arity = "0..1", description = "Name of the command.")
  private @Nullable String command;

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls us
  HelpCommand(Screen screen) {
    this.screen = screen;
  }

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    CommandLine wanted = command == null ? root : root.getSubcommands().get(command);
    if (wanted == null) {
      throw new ProblemException(
          ExitCode.BAD_USAGE,
          "there is no command '%s'; see %s --help".formatted(command, spec.root().name()));
    }
    wanted.usage(screen.out(), screen.ansi());
    return ExitCode.OK;
  }
}
