package dev.nodekeeper.cli;

import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.api.NoClusterException;
import dev.nodekeeper.cli.records.Move;
import dev.nodekeeper.cli.records.RecordStore;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.look.Cluster;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Gives the record of one node to another. */
@Command(
    name = "move",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = {
      "Give the record of a node to another: the hardware was swapped, and the new machine has"
          + " another name.",
      "",
      "The new node gets what is in the record when it registers, or at once where it is there. The"
          + " old node must be gone, and the new one must have no other record. May be repeated"
          + " when it was cut short."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {"  ${COMMAND-FULL-NAME} gpu-17 gpu-17b"})
final class MoveCommand extends ClusterCommand {
  @Parameters(index = "0", paramLabel = "OLD", description = "The node that is gone.")
  private String from;

  @Parameters(index = "1", paramLabel = "NEW", description = "The node in its place.")
  private String to;

  @SuppressWarnings("NullAway.Init") // picocli sets them before it calls us
  MoveCommand(Screen screen, Map<String, String> env) {
    super(screen, env);
  }

  @Override
  public Integer call() throws IOException, NoClusterException {
    Settings settings = settings(SettingFlags.CLUSTER);
    String old = NodeName.checked(from);
    String next = NodeName.checked(to);
    if (old.equals(next)) {
      throw new ProblemException(ExitCode.BAD_USAGE, "OLD and NEW are the same node");
    }
    try (HttpApi api = HttpApi.connect(settings.cluster())) {
      var store = new RecordStore(api, settings.namespace());
      new Move(new Cluster(api, settings), store).run(old, next);
    }
    screen.line("the record of node %s is now that of node %s".formatted(old, next));
    return ExitCode.OK;
  }
}
