package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.model.NodeRecord;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** How far the two watches have come, and whether history still is the one that we know. */
final class Horizon {
  /** The watches have shown everything up to these revisions. */
  long nodes;

  long records;

  /** Records that were ahead of us when the last list of nodes began, with their generation. */
  private final Map<String, Long> ahead = new HashMap<>();

  /** False for what was shown before: revisions only grow, so it is a replay. */
  boolean nodesReach(long rv) {
    boolean news = rv > nodes;
    nodes = Math.max(nodes, rv);
    return news;
  }

  void nodeListStarts(Collection<Slot> slots) {
    ahead.clear();
    for (Slot slot : slots) {
      NodeRecord record = slot.readable();
      if (record != null && record.rv() > nodes) {
        ahead.put(slot.name, record.generation());
      }
    }
  }

  /** A list that began after we knew a record cannot be older than it, unless history was reset. */
  boolean impossible(Slot slot, long listRv) {
    NodeRecord record = slot.readable();
    Long generation = ahead.get(slot.name);
    return record != null
        && generation != null
        && generation == record.generation()
        && record.rv() > listRv;
  }
}
