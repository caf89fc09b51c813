package dev.nodekeeper.cli;

import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.api.NoClusterException;
import dev.nodekeeper.cli.look.Following;
import dev.nodekeeper.cli.look.ListText;
import dev.nodekeeper.cli.look.StandingJson;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.core.model.State;
import dev.nodekeeper.look.Cluster;
import dev.nodekeeper.look.Standing;
import java.io.IOException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** All nodes and records, and how they stand to each other. */
@Command(
    name = "list",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = {
      "List all nodes and records, and whether they agree.",
      "",
      "STATE is one of: current; pending-restore (record to node); pending-capture (node to record);"
          + " refused (the record cannot be read, and is left alone); away (a record without a"
          + " node). -o wide tells why.",
      "LABELS, TAINTS and ANNOTATIONS count what is kept; 1/2 is one on the node, two in the"
          + " record.",
      "AWAY is since when a node is known to be away: its record goes after --forget-after, unless"
          + " it has the annotation nodekeeper.dev/keep=true (\"kept\"). SIZE is in bytes.",
      "Give --keep, --label-prefix, --on-conflict and --identity as the controller has them."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  ${COMMAND-FULL-NAME}",
      "  ${COMMAND-FULL-NAME} --selector pool=gpu --state away,pending-restore",
      "  ${COMMAND-FULL-NAME} --watch",
      "  ${COMMAND-FULL-NAME} -o json | jq '.[] | select(.state != \"current\")'"
    })
final class ListCommand extends ClusterCommand {
  @Mixin private Output output;
  @Mixin private Selection selection;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      split = ",",
      converter = StateWord.class,
      description = "Only nodes in one of these states, such as pending-restore.")
  private Set<State> states = EnumSet.allOf(State.class);

  @Option(
      names = {"-w", "--watch"},
      description = "Go on: a line whenever a node changes, until Ctrl-C.")
  private boolean watch;

  @SuppressWarnings("NullAway.Init") // picocli sets them before it calls us
  ListCommand(Screen screen, Map<String, String> env) {
    super(screen, env);
  }

  @Override
  public Integer call() throws IOException, NoClusterException {
    Settings settings = settings(SettingFlags.LOOKING);
    var selector = selection.selector();
    try (HttpApi api = HttpApi.connect(settings.cluster())) {
      Cluster cluster = new Cluster(api, settings);
      if (watch) {
        ListText.head(output.form()).forEach(screen::line);
        new Following(api, cluster, selector).run(standing -> print(List.of(standing)));
      } else {
        print(cluster.snapshot(selector).standings());
      }
    }
    return ExitCode.OK;
  }

  private void print(List<Standing> all) {
    List<Standing> shown =
        all.stream().filter(standing -> states.contains(standing.state())).toList();
    if (watch && shown.isEmpty()) {
      return;
    }
    output.print(
        screen,
        () ->
            watch
                ? ListText.rows(shown, Instant.now(), output.form(), screen)
                : ListText.lines(shown, Instant.now(), output.form(), screen),
        () -> watch ? StandingJson.one(shown.getFirst()) : StandingJson.list(shown),
        () -> shown.stream().map(standing -> "node/" + standing.node()).toList());
  }
}
