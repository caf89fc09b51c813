package dev.nodekeeper.cli;

import dev.nodekeeper.api.Build;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** What every command has in common; by itself it only shows the help. */
@Command(
    name = "nodekeeper",
    description =
        "Remembers the labels and taints that people put on Kubernetes nodes, and gives them back"
            + " when a node returns.",
    versionProvider = RootCommand.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    usageHelpAutoWidth = false,
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:failed; the message says what and what to do",
      "2:bad usage or settings",
      "3:there is no such node",
      "4:done, and something differs or is left to do: diff, doctor, export, import"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ${COMMAND-FULL-NAME} up                   a local cluster to try it on",
      "  ${COMMAND-FULL-NAME} run                  the controller, on the cluster of your kubeconfig",
      "  ${COMMAND-FULL-NAME} list                 all nodes and records, and whether they agree",
      "  ${COMMAND-FULL-NAME} show gpu-17          one node beside its record, and why",
      "  ${COMMAND-FULL-NAME} diff gpu-17          what differs, and who set it",
      "  ${COMMAND-FULL-NAME} doctor               whether all is well, and how to make it so"
    })
final class RootCommand implements Callable<Integer> {
  private final Screen screen;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // picocli acts on it
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version.")
  @SuppressWarnings("UnusedVariable") // picocli acts on it
  private boolean version;

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Show the stack trace of a failure.")
  private boolean verbose;

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls us
  RootCommand(Screen screen) {
    this.screen = screen;
  }

  boolean verbose() {
    return verbose;
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(screen.err(), screen.ansi());
    return ExitCode.BAD_USAGE;
  }

  /** For {@code --version}. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"nodekeeper " + Build.VERSION};
    }
  }
}
