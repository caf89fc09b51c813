package dev.nodekeeper.cli;

import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.api.NoClusterException;
import dev.nodekeeper.cli.records.RecordStore;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.look.Cluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Removes the record of a node that will not come back. */
@Command(
    name = "forget",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = {
      "Remove the record of a node: if it ever returns, nothing is given back.",
      "",
      "Refused for a node that is there: what is on it would be remembered again at once. With"
          + " --reset that is what you want: a new record of what is on the node now, without the"
          + " old one's history."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {"  ${COMMAND-FULL-NAME} gpu-17", "  ${COMMAND-FULL-NAME} gpu-17 --reset"})
final class ForgetCommand extends ClusterCommand {
  @Parameters(paramLabel = "NODE", arity = "1..*", description = "Names of the nodes.")
  private List<String> nodes;

  @Option(names = "--reset", description = "Also the record of a node that is there.")
  private boolean reset;

  @SuppressWarnings("NullAway.Init") // picocli sets them before it calls us
  ForgetCommand(Screen screen, Map<String, String> env) {
    super(screen, env);
  }

  @Override
  public Integer call() throws IOException, NoClusterException {
    Settings settings = settings(SettingFlags.CLUSTER);
    List<String> names = nodes.stream().map(NodeName::checked).toList();
    try (HttpApi api = HttpApi.connect(settings.cluster())) {
      for (String name : names) {
        forget(name, new Cluster(api, settings), new RecordStore(api, settings.namespace()));
      }
    }
    return ExitCode.OK;
  }

  private void forget(String name, Cluster cluster, RecordStore store) throws IOException {
    Stored record = cluster.record(name).orElseThrow(() -> ProblemException.noRecord(name));
    if (!reset && cluster.node(name).isPresent()) {
      throw ProblemException.failed(
          ("node %s is there, and would be remembered again at once; delete the node first, or"
                  + " begin its record anew with --reset")
              .formatted(name));
    }
    if (!store.delete(name, record.origin())) {
      throw ProblemException.failed(
          "the record of node %s was changed meanwhile, and stays; look again".formatted(name));
    }
    screen.line("record of node %s removed".formatted(name));
  }
}
