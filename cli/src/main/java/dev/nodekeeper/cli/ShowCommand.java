package dev.nodekeeper.cli;

import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.api.NoClusterException;
import dev.nodekeeper.cli.look.ShowText;
import dev.nodekeeper.cli.look.StandingJson;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.look.Cluster;
import dev.nodekeeper.look.Standing;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** One node beside its record, and why they agree or not. */
@Command(
    name = "show",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = {
      "Show a node beside its record, whether they agree, and why.",
      "",
      "Give --keep, --label-prefix, --on-conflict and --identity as the controller has them."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {"  ${COMMAND-FULL-NAME} gpu-17", "  ${COMMAND-FULL-NAME} gpu-17 -o json"})
final class ShowCommand extends ClusterCommand {
  @Mixin private Output output;

  @Parameters(paramLabel = "NODE", description = "Name of the node.")
  private String node;

  @SuppressWarnings("NullAway.Init") // picocli sets them before it calls us
  ShowCommand(Screen screen, Map<String, String> env) {
    super(screen, env);
  }

  @Override
  public Integer call() throws IOException, NoClusterException {
    Settings settings = settings(SettingFlags.LOOKING);
    String name = NodeName.checked(node);
    try (HttpApi api = HttpApi.connect(settings.cluster())) {
      Standing standing =
          new Cluster(api, settings)
              .one(name)
              .orElseThrow(() -> NodeName.notFound(name, settings.namespace(), program()));
      output.print(
          screen,
          () -> ShowText.lines(standing, settings.namespace(), Instant.now(), screen),
          () -> StandingJson.one(standing),
          () -> List.of("node/" + standing.node()));
    }
    return ExitCode.OK;
  }
}
