package dev.nodekeeper.cli;

import dev.nodekeeper.api.NoClusterException;
import dev.nodekeeper.api.RefusedException;
import dev.nodekeeper.api.UnreachableException;
import dev.nodekeeper.cli.up.UpFolder;
import dev.nodekeeper.testbed.KubeException;
import dev.nodekeeper.testbed.StartFailedException;
import dev.nodekeeper.testbed.binaries.MissingBinariesException;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** How a failure is told: one line of what, where and what to do; a stack trace only on request. */
final class Complaints implements IParameterExceptionHandler, IExecutionExceptionHandler {
  private final Screen screen;
  private final Map<String, String> env;

  Complaints(Screen screen, Map<String, String> env) {
    this.screen = screen;
    this.env = env;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine line = e.getCommandLine();
    screen.note("nodekeeper: " + e.getMessage());
    UnmatchedArgumentException.printSuggestions(e, line.getErr());
    screen.note("See: " + line.getCommandSpec().qualifiedName() + " --help");
    return ExitCode.BAD_USAGE;
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine line, ParseResult parsed) {
    screen.note("nodekeeper: " + text(e));
    RootCommand root = line.getCommandSpec().root().commandLine().getCommand();
    if (root.verbose()) {
      e.printStackTrace(line.getErr());
    }
    return e instanceof ProblemException problem ? problem.exitCode() : ExitCode.FAILED;
  }

  private String text(Exception e) {
    String message = String.valueOf(e.getMessage());
    return switch (e) {
      case ProblemException _, MissingBinariesException _, StartFailedException _ -> message;
      case NoClusterException _ -> message + orTheOneOfUp();
      case UnreachableException _ ->
          message + ". Is it the right cluster (--kubeconfig, --context), and is it up?";
      case RefusedException _ -> message + ". Does your user have the right to do that?";
      case KubeException _ -> "the API server said: " + message;
      default ->
          "this should not happen: %s. Run it again with -v, and report what it shows".formatted(e);
    };
  }

  /** Nobody is sent to a cluster unasked, but a person may have forgotten the export. */
  private String orTheOneOfUp() {
    return UpFolder.of(env)
        .kubeconfigOfRunning()
        .filter(file -> !file.equals(env.get("KUBECONFIG")))
        .map(file -> ". The cluster of `up` is running: export KUBECONFIG=" + file)
        .orElse("");
  }
}
