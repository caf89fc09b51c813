package dev.nodekeeper.cli;

import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.api.NoClusterException;
import dev.nodekeeper.cli.remove.Belongings;
import dev.nodekeeper.config.Settings;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What the controller leaves in a cluster; listed, or removed. */
@Command(
    name = "uninstall",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = {
      "List what is ours in the cluster: records, leases, marks on nodes. Remove it with --purge.",
      "",
      "Labels, taints and all else that people put on nodes stay as they are. First remove the"
          + " controller itself, by helm uninstall or kubectl delete -k: while it runs, nothing is"
          + " removed."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  ${COMMAND-FULL-NAME}",
      "  ${COMMAND-FULL-NAME} --purge --keep-records",
      "  ${COMMAND-FULL-NAME} --purge"
    })
final class UninstallCommand extends ClusterCommand {
  @Option(names = "--purge", description = "Remove what is listed.")
  private boolean purge;

  @Option(names = "--keep-records", description = "Leave the records: what was kept is not lost.")
  private boolean keepRecords;

  @Option(names = "--keep-marks", description = "Leave our annotations on nodes.")
  private boolean keepMarks;

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls us
  UninstallCommand(Screen screen, Map<String, String> env) {
    super(screen, env);
  }

  @Override
  public Integer call() throws IOException, NoClusterException {
    Settings settings = settings(SettingFlags.CLUSTER);
    try (HttpApi api = HttpApi.connect(settings.cluster())) {
      Belongings ours = new Belongings(api, settings.namespace());
      List<String> leases = ours.leases();
      List<String> records = keepRecords ? List.of() : ours.records();
      List<String> marks = keepMarks ? List.of() : ours.marks();
      tell("lease", "namespace " + settings.namespace(), leases);
      tell("record", "namespace " + settings.namespace(), records);
      tell("mark", "nodes", marks);
      if (!purge) {
        screen.note("Nothing was removed; --purge removes it.");
        return ExitCode.OK;
      }
      Optional<String> alive = ours.alive();
      if (alive.isPresent()) {
        throw ProblemException.failed(
            "%s still runs and would make it all again. Remove the controller first (helm uninstall"
                    .formatted(alive.get())
                + " or kubectl delete -k), wait for it to end, then run this again");
      }
      ours.removeMarks(marks);
      ours.removeRecords(records);
      ours.removeLeases(leases);
      screen.note("Removed.");
    }
    return ExitCode.OK;
  }

  private void tell(String what, String where, List<String> names) {
    names.forEach(name -> screen.line(what + " " + name));
    screen.note("%d %s%s in %s".formatted(names.size(), what, names.size() == 1 ? "" : "s", where));
  }
}
