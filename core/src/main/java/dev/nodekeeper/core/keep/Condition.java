package dev.nodekeeper.core.keep;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a node stands, as its owner sees it: what people ask first. A metric label. */
public enum Condition {
  /** Node and record agree, or there is nothing to keep. */
  CURRENT,
  /** Its record does not say yet what the node says, or said when it was deleted. */
  PENDING_CAPTURE,
  /** It lacks what its record says. */
  PENDING_RESTORE,
  /** Something is to be done and cannot be: an API server that says no, a bad record, a fight. */
  REFUSED,
  /** There is a record, but no node. */
  AWAY;

  /** As people and metrics read it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Null where there is nothing that could stand in any way. */
  static @Nullable Condition of(Slot slot) {
    boolean settled = slot.tombstones.isEmpty() || slot.tombstones.quiet();
    if (slot.hasRecord() && !slot.hasReadable()) {
      return slot.node == null && settled ? null : REFUSED;
    }
    if (!settled) {
      return slot.refused ? REFUSED : PENDING_CAPTURE;
    }
    if (slot.node == null) {
      return slot.hasReadable() ? AWAY : null;
    }
    boolean stuck = slot.found != CURRENT && (slot.refused || slot.restoreAfter != 0);
    return stuck ? REFUSED : slot.found;
  }
}
