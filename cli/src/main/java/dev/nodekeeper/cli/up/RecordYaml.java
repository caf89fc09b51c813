package dev.nodekeeper.cli.up;

import java.util.ArrayList;
import java.util.List;

/** A record as kubectl prints it, without our bookkeeping, whose nonce is nobody's to see. */
final class RecordYaml {
  private static final String STATE = "  state.json:";

  private RecordYaml() {}

  static List<String> withoutState(List<String> yaml) {
    List<String> shown = new ArrayList<>();
    boolean inState = false;
    for (String line : yaml) {
      if (line.startsWith(STATE)) {
        shown.add(STATE + " ...   # our bookkeeping");
        inState = true;
      } else if (!inState || !line.startsWith("    ")) {
        // A folded value goes on deeper than its key, or on an empty line.
        inState = inState && line.isBlank();
        if (!inState) {
          shown.add(line);
        }
      }
    }
    return shown;
  }
}
