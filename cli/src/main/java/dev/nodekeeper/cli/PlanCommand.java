package dev.nodekeeper.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.api.NoClusterException;
import dev.nodekeeper.cli.look.Table;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.core.model.State;
import dev.nodekeeper.look.Cluster;
import dev.nodekeeper.look.Printable;
import dev.nodekeeper.look.Standing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What a fresh start of the controller would do. */
@Command(
    name = "plan",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = {
      "Show what a controller that starts now would capture, restore and refuse. Writes nothing.",
      "",
      "Give --keep, --label-prefix, --on-conflict and --identity as you would give them to run."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  ${COMMAND-FULL-NAME}",
      "  ${COMMAND-FULL-NAME} --keep labels,taints,cordon --label-prefix team.example/"
    })
final class PlanCommand extends ClusterCommand {
  @Mixin private Output output;
  @Mixin private Selection selection;

  @SuppressWarnings("NullAway.Init") // picocli sets them before it calls us
  PlanCommand(Screen screen, Map<String, String> env) {
    super(screen, env);
  }

  @Override
  public Integer call() throws IOException, NoClusterException {
    Settings settings = settings(SettingFlags.LOOKING);
    var selector = selection.selector();
    try (HttpApi api = HttpApi.connect(settings.cluster())) {
      List<Standing> all = new Cluster(api, settings).snapshot(selector).standings();
      List<Standing> pending = all.stream().filter(one -> one.state().pending()).toList();
      output.print(
          screen,
          () -> table(all, pending),
          () -> json(all, pending),
          () -> pending.stream().map(one -> "node/" + one.node()).toList());
    }
    return ExitCode.OK;
  }

  private List<String> table(List<Standing> all, List<Standing> pending) {
    List<String> lines = new ArrayList<>();
    if (!pending.isEmpty()) {
      Table table = new Table().row("NODE", "WOULD", "WHY");
      pending.forEach(one -> table.row(one.node(), word(one.state()), Printable.line(one.why())));
      lines.addAll(table.lines());
      lines.add("");
    }
    lines.add(
        "%d to restore, %d to capture, %d refused, %d left as they are"
            .formatted(
                count(pending, State.PENDING_RESTORE),
                count(pending, State.PENDING_CAPTURE),
                count(pending, State.REFUSED),
                all.size() - pending.size()));
    return lines;
  }

  private static ObjectNode json(List<Standing> all, List<Standing> pending) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("restore", count(pending, State.PENDING_RESTORE));
    json.put("capture", count(pending, State.PENDING_CAPTURE));
    json.put("refuse", count(pending, State.REFUSED));
    json.put("leave", all.size() - pending.size());
    ArrayNode nodes = json.putArray("nodes");
    pending.forEach(
        one ->
            nodes
                .addObject()
                .put("node", one.node())
                .put("action", word(one.state()))
                .put("why", one.why()));
    return json;
  }

  private static String word(State state) {
    return switch (state) {
      case PENDING_RESTORE -> "restore";
      case PENDING_CAPTURE -> "capture";
      case REFUSED -> "refuse";
      case CURRENT, AWAY -> "leave";
    };
  }

  private static long count(List<Standing> standings, State state) {
    return standings.stream().filter(one -> one.state() == state).count();
  }
}
