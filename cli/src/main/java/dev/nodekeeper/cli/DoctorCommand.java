package dev.nodekeeper.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.api.NoClusterException;
import dev.nodekeeper.cli.doctor.Doctor;
import dev.nodekeeper.cli.doctor.Finding;
import dev.nodekeeper.cli.look.Table;
import dev.nodekeeper.config.Settings;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whether all is well, and how to make it so. */
@Command(
    name = "doctor",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = {
      "Look at what the controller needs: version, clock, namespace, rights, watch, leases,"
          + " records. Each line is ok, or says how to fix it. Writes nothing.",
      "",
      "Ends with 4 where something is to be fixed."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  ${COMMAND-FULL-NAME}",
      "  ${COMMAND-FULL-NAME} --account system:serviceaccount:nodekeeper:nodekeeper"
    })
final class DoctorCommand extends ClusterCommand {
  @Mixin private Output output;

  @Option(
      names = "--account",
      paramLabel = "USER",
      description = "Whose rights to look at; else yours.")
  private String account = "";

  @SuppressWarnings("NullAway.Init") // picocli sets them before it calls us
  DoctorCommand(Screen screen, Map<String, String> env) {
    super(screen, env);
  }

  @Override
  public Integer call() throws IOException, NoClusterException {
    Settings settings = settings(SettingFlags.LOOKING);
    try (HttpApi api = HttpApi.connect(settings.cluster())) {
      List<Finding> findings = new Doctor(api, settings, account).examine();
      output.print(
          screen,
          () -> lines(findings),
          () -> json(findings),
          () -> findings.stream().map(Finding::subject).distinct().toList());
      return findings.stream().allMatch(one -> one.fix().isEmpty())
          ? ExitCode.OK
          : ExitCode.ATTENTION;
    }
  }

  private List<String> lines(List<Finding> findings) {
    Table table = new Table();
    for (Finding one : findings) {
      table.row(
          one.fix().isEmpty() ? screen.good("ok") : screen.bad("fix"), one.subject(), one.text());
      one.fix().ifPresent(fix -> table.row("", "", "-> " + fix));
    }
    return table.lines();
  }

  private static ArrayNode json(List<Finding> findings) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (Finding one : findings) {
      list.addObject()
          .put("subject", one.subject())
          .put("ok", one.fix().isEmpty())
          .put("text", one.text())
          .put("fix", one.fix().orElse(null));
    }
    return list;
  }
}
