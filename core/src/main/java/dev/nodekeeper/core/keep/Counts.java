package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.State;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Sizes, for people who watch us.
 *
 * @param orphans records whose node is not there
 * @param size of all records, in bytes
 * @param largest likewise of the largest one
 * @param waitingMillis how long the one that has waited longest has waited
 * @param owned only those that are ours, so that replicas add up
 * @param oldestMillis by state, how long the one of ours that has waited longest has waited
 * @param decisions since the start
 * @param changes likewise, that others made to what we keep of our nodes
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
    long waitingMillis,
    Map<State, Integer> owned,
    Map<State, Long> oldestMillis,
    Map<Verdict, Long> decisions,
    Map<NodeClass, Map<Kind, Long>> changes) {

  public static final Counts NONE =
      new Counts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Map.of(), Map.of(), Map.of(), Map.of());

  static Counts of(
      Collection<Slot> slots, Outbox outbox, Waiting waiting, Predicate<Slot> ours, Tally tally) {
    int nodes = 0;
    int records = 0;
    int tombstones = 0;
    int withheld = 0;
    int unreadable = 0;
    int orphans = 0;
    long size = 0;
    int largest = 0;
    int[] owned = new int[State.values().length];
    long[] oldest = new long[owned.length];
    for (Slot slot : slots) {
      nodes += slot.node == null ? 0 : 1;
      records += slot.hasReadable() ? 1 : 0;
      unreadable += slot.hasRecord() && !slot.hasReadable() ? 1 : 0;
      tombstones += slot.knownPast().size();
      orphans += slot.node == null && slot.hasReadable() ? 1 : 0;
      int own = slot.recordSize();
      size += own;
      largest = Math.max(largest, own);
      withheld += slot.node == null || slot.node.withheld() == null ? 0 : 1;
      State state = slot.state();
      if (state != null && ours.test(slot)) {
        int at = state.ordinal();
        owned[at]++;
        oldest[at] = Math.max(oldest[at], slot.waited(outbox.now()));
      }
    }
    Map<State, Integer> byState = new EnumMap<>(State.class);
    Map<State, Long> ages = new EnumMap<>(State.class);
    for (State state : State.values()) {
      byState.put(state, owned[state.ordinal()]);
      ages.put(state, oldest[state.ordinal()]);
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
        outbox.now() - waiting.oldest().orElse(outbox.now()),
        byState,
        ages,
        tally.decisions(),
        tally.changes());
  }
}
