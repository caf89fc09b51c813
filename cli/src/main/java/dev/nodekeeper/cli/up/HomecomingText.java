package dev.nodekeeper.cli.up;

import dev.nodekeeper.cli.look.Table;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** A return as three columns: before, as it came back, now. */
final class HomecomingText {
  private static final int UID_SHOWN = 8;

  private HomecomingText() {}

  static List<String> lines(Homecoming homecoming) {
    Table table = new Table().row("", "BEFORE", "AS IT CAME BACK", "NOW");
    table.row("uid", uid(homecoming.before()), uid(homecoming.registered()), uid(homecoming.now()));
    for (Key key : keys(homecoming)) {
      table.row(
          name(key),
          value(homecoming.before(), key),
          value(homecoming.registered(), key),
          value(homecoming.now(), key));
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add(
        homecoming.before().content().isEmpty()
            ? "Nothing to restore: nobody had put anything on it."
            : "Restored %d ms after its Node was created.".formatted(homecoming.took().toMillis()));
    return lines;
  }

  private static SortedSet<Key> keys(Homecoming homecoming) {
    SortedSet<Key> keys = new TreeSet<>(homecoming.before().content().keys());
    keys.addAll(homecoming.now().content().keys());
    return keys;
  }

  private static String uid(NodeState node) {
    return node.uid().isEmpty()
        ? "(away)"
        : node.uid().substring(0, Math.min(UID_SHOWN, node.uid().length()));
  }

  private static String name(Key key) {
    return switch (key.kind()) {
      case LABEL -> "label " + key.name();
      case TAINT -> "taint " + key.name() + ":" + key.effect();
      case ANNOTATION -> "annotation " + key.name();
      case CORDON -> "cordon";
    };
  }

  private static String value(NodeState node, Key key) {
    String value = node.content().get(key);
    return value == null ? "-" : value.isEmpty() ? "\"\"" : value;
  }
}
