package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored.Unreadable;
import java.util.Collection;

/** Sizes, for people who watch us. */
public record Counts(
    int nodes,
    int records,
    int tombstones,
    int inFlight,
    int waiting,
    int withheld,
    int unreadable) {

  static Counts of(Collection<Slot> slots, int inFlight, int waiting) {
    int nodes = 0;
    int records = 0;
    int tombstones = 0;
    int withheld = 0;
    int unreadable = 0;
    for (Slot slot : slots) {
      nodes += slot.node == null ? 0 : 1;
      records += slot.stored instanceof NodeRecord ? 1 : 0;
      unreadable += slot.stored instanceof Unreadable ? 1 : 0;
      tombstones += slot.tombstones.size();
      withheld += slot.node == null || slot.node.withheld() == null ? 0 : 1;
    }
    return new Counts(nodes, records, tombstones, inFlight, waiting, withheld, unreadable);
  }
}
