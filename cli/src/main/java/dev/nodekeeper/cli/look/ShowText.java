package dev.nodekeeper.cli.look;

import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One standing: the verdict, why, and both sides beside each other. */
public final class ShowText {
  private ShowText() {}

  public static List<String> lines(Standing standing, String namespace, Instant now) {
    List<String> lines = new ArrayList<>(head(standing, namespace, now).lines());
    if (standing.state() == State.TO_BE_CAPTURED || standing.state() == State.TO_BE_RESTORED) {
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

  private static Table head(Standing standing, String namespace, Instant now) {
    String record =
        standing.inRecord().isEmpty() && standing.state() != State.UNREADABLE
            ? "none"
            : "configmap/%s in namespace %s".formatted(standing.node(), namespace);
    String captured = Age.of(standing.capturedAt(), now);
    return new Table()
        .row("Node", standing.node())
        .row("Record", captured.equals("-") ? record : record + ", captured " + captured + " ago")
        .row("State", standing.state().word())
        .row("Why", Printable.line(standing.why()));
  }

  private static Table sides(Standing standing) {
    Table table = new Table().row("", "", "ON THE NODE", "IN THE RECORD", "");
    for (Key key : standing.keys()) {
      table.row(
          kind(key),
          name(key),
          value(standing.onNode(), key),
          value(standing.inRecord(), key),
          standing.remark(key));
    }
    return table;
  }

  private static String kind(Key key) {
    return switch (key.kind()) {
      case LABEL -> "label";
      case TAINT -> "taint";
      case ANNOTATION -> "annotation";
      case CORDON -> "cordon";
    };
  }

  private static String name(Key key) {
    return key.effect().isEmpty() ? key.name() : key.name() + ":" + key.effect();
  }

  /** A dash for what is absent; quotes where an empty value would look like that. */
  private static String value(Optional<Content> side, Key key) {
    String value = side.orElse(Content.EMPTY).get(key);
    return value == null ? "-" : value.isEmpty() ? "\"\"" : Printable.of(value);
  }
}
