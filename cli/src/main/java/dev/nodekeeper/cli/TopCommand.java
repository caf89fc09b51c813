package dev.nodekeeper.cli;

import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.api.NoClusterException;
import dev.nodekeeper.cli.look.Churn;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.look.Cluster;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The nodes that change most. */
@Command(
    name = "top",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = {
      "Watch for a while, and show the nodes that change most: something may be fighting over them.",
      "",
      "REGISTERED, DELETED, CHANGED (of what is kept) and WRITTEN (its record) are of that while;"
          + " VERSIONS of the record were ever written, and LIVES of the node are among those that"
          + " it still holds."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {"  ${COMMAND-FULL-NAME}", "  ${COMMAND-FULL-NAME} --seconds 60 --rows 5"})
final class TopCommand extends ClusterCommand {
  @Mixin private Output output;
  @Mixin private Selection selection;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long to watch; 0 shows only what records tell. Default: 10")
  private int seconds = 10;

  @Option(names = "--rows", paramLabel = "N", description = "How many nodes to show. Default: 20")
  private int rows = 20;

  @Option(
      names = {"-w", "--watch"},
      description = "Go on, with a new table each time, until Ctrl-C.")
  private boolean watch;

  @SuppressWarnings("NullAway.Init") // picocli sets them before it calls us
  TopCommand(Screen screen, Map<String, String> env) {
    super(screen, env);
  }

  @Override
  public Integer call() throws IOException, NoClusterException {
    Settings settings = settings(SettingFlags.LOOKING);
    var selector = selection.selector();
    if (seconds < 0 || rows < 1 || (watch && seconds < 1)) {
      throw new ProblemException(
          ExitCode.BAD_USAGE, "--seconds must be 0 or more (1 with --watch), --rows 1 or more");
    }
    try (HttpApi api = HttpApi.connect(settings.cluster())) {
      Cluster cluster = new Cluster(api, settings);
      do {
        if (seconds > 0 && !watch) {
          screen.note("Watching for %d s".formatted(seconds));
        }
        Churn churn = Churn.of(api, cluster, selector, Duration.ofSeconds(seconds));
        output.print(
            screen, () -> churn.lines(rows), () -> churn.json(rows), () -> churn.names(rows));
      } while (watch && !Thread.currentThread().isInterrupted());
    }
    return ExitCode.OK;
  }
}
