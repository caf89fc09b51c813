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
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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
final class DoctorCommand implements Callable<Integer> {
  private final Screen screen;
  private final Map<String, String> env;

  @Spec private CommandSpec spec;
  @Mixin private Output output;

  @Option(
      names = "--account",
      paramLabel = "USER",
      description = "Whose rights to look at; else yours.")
  private String account = "";

  @SuppressWarnings("NullAway.Init") // picocli sets them before it calls us
  DoctorCommand(Screen screen, Map<String, String> env) {
    this.screen = screen;
    this.env = env;
  }

  @Override
  public Integer call() throws IOException, NoClusterException {
    Settings settings = SettingFlags.LOOKING.settings(spec, env);
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
