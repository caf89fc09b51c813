package dev.nodekeeper.cli;

import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.api.NoClusterException;
import dev.nodekeeper.cli.look.Cluster;
import dev.nodekeeper.cli.look.ShowText;
import dev.nodekeeper.cli.look.Standing;
import dev.nodekeeper.cli.look.StandingJson;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.core.policy.Rules;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** One node beside its record, and why they are in step or not. */
@Command(
    name = "show",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = {
      "Show a node beside its record, whether they are in step, and why.",
      "",
      "Give --keep, --label-prefix, --on-conflict and --identity as the controller has them."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {"  ${COMMAND-FULL-NAME} gpu-17", "  ${COMMAND-FULL-NAME} gpu-17 -o json"})
final class ShowCommand implements Callable<Integer> {
  private final Screen screen;
  private final Map<String, String> env;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "NODE", description = "Name of the node.")
  private String node;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      description = "How to show it: ${COMPLETION-CANDIDATES}.")
  private OutputForm form = OutputForm.TEXT;

  @SuppressWarnings("NullAway.Init") // picocli sets them before it calls us
  ShowCommand(Screen screen, Map<String, String> env) {
    this.screen = screen;
    this.env = env;
  }

  @Override
  public Integer call() throws IOException, NoClusterException {
    Settings settings = SettingFlags.LOOKING.settings(spec, env);
    String flaw = Rules.nodeName(node);
    if (flaw != null) {
      throw new ProblemException(
          ExitCode.BAD_USAGE, "'%s' cannot be a node: %s".formatted(node, flaw));
    }
    try (HttpApi api = HttpApi.connect(settings.cluster())) {
      Standing standing =
          new Cluster(api, settings).one(node).orElseThrow(() -> notFound(settings));
      switch (form) {
        case JSON -> screen.line(StandingJson.one(standing));
        case TEXT ->
            ShowText.lines(standing, settings.namespace(), Instant.now()).forEach(screen::line);
      }
    }
    return ExitCode.OK;
  }

  private ProblemException notFound(Settings settings) {
    return new ProblemException(
        ExitCode.NOT_FOUND,
        "there is no node %s, and no record of it in namespace %s; `%s list` shows what there is"
            .formatted(node, settings.namespace(), spec.root().name()));
  }
}
