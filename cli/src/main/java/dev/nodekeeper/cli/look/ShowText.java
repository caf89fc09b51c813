package dev.nodekeeper.cli.look;

import dev.nodekeeper.cli.Screen;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.State;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.look.Age;
import dev.nodekeeper.look.Printable;
import dev.nodekeeper.look.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** One standing: the verdict, why, and both sides beside each other. */
public final class ShowText {
  private ShowText() {}

  public static List<String> lines(
      Standing standing, String namespace, Instant now, Screen screen) {
    List<String> lines = new ArrayList<>(head(standing, namespace, now, screen).lines());
    if (standing.state() == State.PENDING_CAPTURE || standing.state() == State.PENDING_RESTORE) {
      lines.add("         A running controller does that within a second.");
    }
    if (!standing.keys().isEmpty()) {
      lines.add("");
      lines.addAll(sides(standing).lines());
    }
    if (!standing.notes().isEmpty()) {
      lines.add("");
      lines.add("Odd in the record:");
      standing.notes().forEach(note -> lines.add("  " + Printable.of(note)));
    }
    return lines;
  }

  private static Table head(Standing standing, String namespace, Instant now, Screen screen) {
    String record =
        standing.origin() == Origin.NONE
            ? "none"
            : "configmap/%s in namespace %s".formatted(standing.node(), namespace);
    String captured = Age.of(standing.capturedAt(), now);
    return new Table()
        .row("Node", standing.node())
        .row("Record", captured.equals("-") ? record : record + ", captured " + captured + " ago")
        .row("State", StateColour.paint(screen, standing.state()))
        .row("Why", Printable.line(standing.why()));
  }

  private static Table sides(Standing standing) {
    Table table = new Table().row("", "", "ON THE NODE", "IN THE RECORD", "");
    for (Key key : standing.keys()) {
      table.row(
          Keys.kind(key),
          Keys.name(key),
          Keys.value(standing.onNode(), key),
          Keys.value(standing.inRecord(), key),
          standing.remark(key));
    }
    return table;
  }
}
