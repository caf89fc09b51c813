package dev.nodekeeper.cli.look;

import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** All standings as a table. */
public final class ListText {
  private ListText() {}

  public static List<String> lines(List<Standing> standings, Instant now) {
    Table table =
        new Table()
            .row("NODE", "STATE", "LABELS", "TAINTS", "ANNOTATIONS", "CAPTURED", "AWAY", "SIZE");
    for (Standing standing : standings) {
      table.row(
          standing.node(),
          standing.state().word(),
          amount(standing, Kind.LABEL),
          amount(standing, Kind.TAINT),
          amount(standing, Kind.ANNOTATION),
          Age.of(standing.capturedAt(), now),
          away(standing, now),
          standing.origin().size() == 0 ? "-" : Integer.toString(standing.origin().size()));
    }
    return table.lines();
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
