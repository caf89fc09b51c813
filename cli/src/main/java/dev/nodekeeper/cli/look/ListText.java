package dev.nodekeeper.cli.look;

import dev.nodekeeper.cli.OutputForm;
import dev.nodekeeper.cli.Screen;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.look.Age;
import dev.nodekeeper.look.Printable;
import dev.nodekeeper.look.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All standings as a table. */
public final class ListText {
  private ListText() {}

  /** The line above the rows of a table; none in other forms. */
  public static List<String> head(OutputForm form) {
    return switch (form) {
      case TABLE, WIDE -> new Table().row(titles(form)).lines();
      case JSON, YAML, NAME -> List.of();
    };
  }

  public static List<String> lines(
      List<Standing> standings, Instant now, OutputForm form, Screen screen) {
    Table table = new Table().row(titles(form));
    for (Standing standing : standings) {
      table.row(row(standing, now, form, screen));
    }
    return table.lines();
  }

  /** Without the titles, but as wide. */
  public static List<String> rows(
      List<Standing> standings, Instant now, OutputForm form, Screen screen) {
    List<String> lines = lines(standings, now, form, screen);
    return lines.subList(1, lines.size());
  }

  private static String[] titles(OutputForm form) {
    List<String> titles =
        new ArrayList<>(
            List.of(
                "NODE", "STATE", "LABELS", "TAINTS", "ANNOTATIONS", "CAPTURED", "AWAY", "SIZE"));
    if (form == OutputForm.WIDE) {
      titles.addAll(List.of("WITHHELD", "WHY"));
    }
    return titles.toArray(String[]::new);
  }

  private static String[] row(Standing standing, Instant now, OutputForm form, Screen screen) {
    List<String> cells =
        new ArrayList<>(
            List.of(
                standing.node(),
                StateColour.paint(screen, standing.state()),
                amount(standing, Kind.LABEL),
                amount(standing, Kind.TAINT),
                amount(standing, Kind.ANNOTATION),
                Age.of(standing.capturedAt(), now),
                away(standing, now),
                standing.origin().size() == 0 ? "-" : Integer.toString(standing.origin().size())));
    if (form == OutputForm.WIDE) {
      cells.add(Integer.toString(standing.withheld().size()));
      cells.add(Printable.line(standing.why()));
    }
    return cells.toArray(String[]::new);
  }

  private static String away(Standing standing, Instant now) {
    String age = Age.of(standing.awaySince(), now);
    return standing.origin().exempt() ? age + ", kept" : age;
  }

  /** One number where both sides agree or only one is there, else "on the node/in the record". */
  private static String amount(Standing standing, Kind kind) {
    String node = count(standing.onNode(), kind);
    String record = count(standing.inRecord(), kind);
    if (node.equals(record) || record.isEmpty()) {
      return node.isEmpty() ? "-" : node;
    }
    return node.isEmpty() ? record : node + "/" + record;
  }

  private static String count(Optional<Content> side, Kind kind) {
    return side.map(
            content -> content.keys().stream().filter(key -> key.kind() == kind).count() + "")
        .orElse("");
  }
}
