package dev.nodekeeper.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** For the shell. */
@Command(
    name = "completion",
    description = {
      "Print a script that lets bash and zsh complete commands and flags.",
      "",
      "  bash:  . <(nodekeeper completion)",
      "  zsh:   autoload -U bashcompinit && bashcompinit && . <(nodekeeper completion)"
    })
final class CompletionCommand implements Callable<Integer> {
  private final Screen screen;

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls us
  CompletionCommand(Screen screen) {
    this.screen = screen;
  }

  @Override
  public Integer call() {
    screen.text(AutoComplete.bash("nodekeeper", spec.root().commandLine()));
    return ExitCode.OK;
  }
}
