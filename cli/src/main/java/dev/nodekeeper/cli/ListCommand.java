package dev.nodekeeper.cli;

import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.api.NoClusterException;
import dev.nodekeeper.cli.look.Cluster;
import dev.nodekeeper.cli.look.ListText;
import dev.nodekeeper.cli.look.Standing;
import dev.nodekeeper.cli.look.StandingJson;
import dev.nodekeeper.config.Settings;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** All nodes and records, and how they stand to each other. */
@Command(
    name = "list",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = {
      "List all nodes and records, and whether they are in step.",
      "",
      "STATE is one of: in step; to be restored (record to node); to be captured (node to record);"
          + " away (a record without a node); leaving (being deleted); unreadable (the record is"
          + " left alone); nothing to keep.",
      "LABELS, TAINTS and ANNOTATIONS count what is kept; 1/2 is one on the node, two in the"
          + " record.",
      "AWAY is since when a node is known to be away: its record goes after --forget-after, unless"
          + " it has the annotation nodekeeper.dev/keep=true (\"kept\"). SIZE is in characters.",
      "Give --keep, --label-prefix, --on-conflict and --identity as the controller has them."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  ${COMMAND-FULL-NAME}",
      "  ${COMMAND-FULL-NAME} --context prod",
      "  ${COMMAND-FULL-NAME} -o json | jq '.[] | select(.state != \"in-step\")'"
    })
final class ListCommand implements Callable<Integer> {
  private final Screen screen;
  private final Map<String, String> env;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      description = "How to show it: ${COMPLETION-CANDIDATES}.")
  private OutputForm form = OutputForm.TEXT;

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls us
  ListCommand(Screen screen, Map<String, String> env) {
    this.screen = screen;
    this.env = env;
  }

  @Override
  public Integer call() throws IOException, NoClusterException {
    Settings settings = SettingFlags.LOOKING.settings(spec, env);
    try (HttpApi api = HttpApi.connect(settings.cluster())) {
      List<Standing> standings = new Cluster(api, settings).all();
      switch (form) {
        case JSON -> screen.line(StandingJson.list(standings));
        case TEXT -> ListText.lines(standings, Instant.now()).forEach(screen::line);
      }
    }
    return ExitCode.OK;
  }
}
