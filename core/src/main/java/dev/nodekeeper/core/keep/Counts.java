package dev.nodekeeper.core.keep;

import java.util.Collection;

/**
 * Sizes, for people who watch us.
 *
 * @param orphans records whose node is not there
 * @param size of all records, in characters
 * @param largest likewise of the largest one
 * @param waitingMillis how long the one that has waited longest has waited
 */
public record Counts(
    int nodes,
    int records,
    int tombstones,
    int inFlight,
    int waiting,
    int withheld,
    int unreadable,
    int orphans,
    long size,
    int largest,
    long waitingMillis) {

  public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  static Counts of(Collection<Slot> slots, Outbox outbox, Waiting waiting) {
    int nodes = 0;
    int records = 0;
    int tombstones = 0;
    int withheld = 0;
    int unreadable = 0;
    int orphans = 0;
    long size = 0;
    int largest = 0;
    for (Slot slot : slots) {
      nodes += slot.node == null ? 0 : 1;
      records += slot.hasReadable() ? 1 : 0;
      unreadable += slot.hasRecord() && !slot.hasReadable() ? 1 : 0;
      tombstones += slot.tombstones.size();
      orphans += slot.node == null && slot.hasReadable() ? 1 : 0;
      int own = slot.recordSize();
      size += own;
      largest = Math.max(largest, own);
      withheld += slot.node == null || slot.node.withheld() == null ? 0 : 1;
    }
    return new Counts(
        nodes,
        records,
        tombstones,
        outbox.inFlight(),
        waiting.size(),
        withheld,
        unreadable,
        orphans,
        size,
        largest,
        outbox.now() - waiting.oldest().orElse(outbox.now()));
  }
}
