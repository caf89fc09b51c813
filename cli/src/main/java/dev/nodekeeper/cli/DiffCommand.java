package dev.nodekeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.api.NoClusterException;
import dev.nodekeeper.cli.look.Difference;
import dev.nodekeeper.cli.look.Difference.Which;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.look.Cluster;
import dev.nodekeeper.look.Standing;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What differs between a node and its record. */
@Command(
    name = "diff",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = {
      "Show what differs between a node and its record, key by key, and who set it.",
      "",
      "- is only on the node, + only in the record, ~ has two values. Who set a key is what the"
          + " node's managedFields say; of taints they know only who wrote the whole list.",
      "Ends with 0 where nothing differs, with 4 where something does.",
      "Give --keep, --label-prefix, --on-conflict and --identity as the controller has them."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {"  ${COMMAND-FULL-NAME} gpu-17", "  ${COMMAND-FULL-NAME} gpu-17 --all -o yaml"})
final class DiffCommand extends ClusterCommand {
  @Mixin private Output output;

  @Parameters(paramLabel = "NODE", description = "Name of the node.")
  private String node;

  @Option(names = "--all", description = "Also what is the same.")
  private boolean all;

  @SuppressWarnings("NullAway.Init") // picocli sets them before it calls us
  DiffCommand(Screen screen, Map<String, String> env) {
    super(screen, env);
  }

  @Override
  public Integer call() throws IOException, NoClusterException {
    Settings settings = settings(SettingFlags.LOOKING);
    String name = NodeName.checked(node);
    try (HttpApi api = HttpApi.connect(settings.cluster())) {
      Cluster cluster = new Cluster(api, settings);
      Optional<JsonNode> living = cluster.node(name);
      Optional<JsonNode> configMap = cluster.configMap(name);
      Standing standing =
          cluster
              .standing(name, living, configMap)
              .orElseThrow(() -> NodeName.notFound(name, settings.namespace(), program()));
      Difference difference =
          new Difference(
              standing,
              living.orElse(MissingNode.getInstance()),
              configMap.orElse(MissingNode.getInstance()),
              all ? Which.ALL : Which.DIFFERENT);
      output.print(
          screen,
          () -> difference.lines(Instant.now(), screen),
          difference::json,
          difference::names);
      return difference.any() ? ExitCode.ATTENTION : ExitCode.OK;
    }
  }
}
