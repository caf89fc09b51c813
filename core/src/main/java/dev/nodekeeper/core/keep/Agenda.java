package dev.nodekeeper.core.keep;

import java.util.Comparator;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Who is looked at when: names whose time has come, or whose records have. */
final class Agenda {
  private final PriorityQueue<Due> timers =
      new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparing(Due::name));

  /** Names with a tombstone that only waits for the record watch to catch up. */
  private final PriorityQueue<Due> quiet =
      new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparing(Due::name));

  /** At a time, or (of quiet ones) at a revision. */
  private record Due(long at, String name) {}

  void awaitRecords(Slot slot, long rv) {
    quiet.add(new Due(rv, slot.name));
  }

  @Nullable String nextQuiet(long recordsRv) {
    return next(quiet, recordsRv);
  }

  void wake(Slot slot, long at) {
    if (slot.wakeAt == 0 || at < slot.wakeAt) {
      slot.wakeAt = at;
      timers.add(new Due(at, slot.name));
    }
  }

  @Nullable String nextDue(long now) {
    return next(timers, now);
  }

  private static @Nullable String next(PriorityQueue<Due> queue, long reached) {
    Due due = queue.peek();
    if (due == null || due.at > reached) {
      return null;
    }
    queue.remove();
    return due.name;
  }

  OptionalLong nextAt() {
    Due due = timers.peek();
    return due == null ? OptionalLong.empty() : OptionalLong.of(due.at);
  }
}
