package dev.nodekeeper.core.keep;

import java.util.Collection;

/** How far the two watches have come, and whether history still is the one that we know. */
final class Horizon {
  /** The watches have shown everything up to these revisions. */
  long nodes;

  long records;

  /** The newest revision that we knew of when the last list of nodes began. */
  private long knownBefore;

  /** False for what was shown before: revisions only grow, so it is a replay. */
  boolean nodesReach(long rv) {
    boolean news = rv > nodes;
    nodes = Math.max(nodes, rv);
    return news;
  }

  void nodeListStarts(Collection<Slot> slots) {
    knownBefore = Math.max(nodes, records);
    for (Slot slot : slots) {
      // Our own write may be newer than all that a watch has shown.
      knownBefore = Math.max(knownBefore, slot.recordRv());
    }
  }

  /** No list is older than what was known when it began. */
  boolean lost(long listRv) {
    return listRv < newest();
  }

  long newest() {
    return Math.max(nodes, knownBefore);
  }
}
