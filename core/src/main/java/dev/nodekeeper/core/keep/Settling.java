package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.model.NodeRecord;

/** When a tombstone has nothing more to say, to anybody. */
final class Settling {
  /**
   * Longer than another's node watch can lag unnoticed (150 s), its request can then be on its way
   * (60 s) and our record watch can lag (150 s).
   */
  private static final long LINGER_MILLIS = 420_000;

  /** A process that only restores waits so long for what another has to capture first. */
  private static final long CAPTURE_MILLIS = 10_000;

  /** Time enough for an owner, and for one that takes over from it. */
  private static final long OWNER_MILLIS = 10_000;

  private final Limits limits;
  private final Agenda agenda;
  private final Horizon horizon;
  private final Outbox outbox;

  Settling(Limits limits, Agenda agenda, Horizon horizon, Outbox outbox) {
    this.limits = limits;
    this.agenda = agenda;
    this.horizon = horizon;
    this.outbox = outbox;
  }

  void expire(Slot slot) {
    if (!slot.knownPast().isEmpty()) {
      slot.past().expire(outbox.now() - limits.tombstoneLife().toMillis());
    }
  }

  /** Nothing is to be written for it. */
  void quiet(Slot slot, Tombstone tombstone) {
    if (settled(slot, tombstone)) {
      slot.past().remove(tombstone);
    } else {
      slot.past().mark(tombstone, true);
    }
  }

  /** It is for others to write: waited for, but not for ever, since they may not run. */
  boolean awaitsCapture(Slot slot, Tombstone tombstone) {
    return awaits(slot, tombstone.since() + CAPTURE_MILLIS);
  }

  /** Likewise for the owner, who may have started after it. */
  boolean awaitsOwner(Slot slot, Tombstone tombstone) {
    return awaits(slot, tombstone.since() + OWNER_MILLIS);
  }

  private boolean awaits(Slot slot, long until) {
    boolean early = outbox.now() < until;
    if (early) {
      agenda.wake(slot, until);
    }
    return early;
  }

  /**
   * "Nothing" counts only from a record as new as the deletion: a lagging cache proves nothing. And
   * only after a while: what a replica sends before it has seen the deletion can still land.
   */
  private boolean settled(Slot slot, Tombstone tombstone) {
    NodeRecord record = slot.readable();
    boolean shown =
        horizon.records >= tombstone.asOf() || (record != null && record.rv() >= tombstone.rv());
    long since = tombstone.since() + LINGER_MILLIS;
    if (!shown) {
      agenda.awaitRecords(slot, tombstone.asOf());
    } else if (outbox.now() < since) {
      agenda.wake(slot, since);
    }
    return shown && outbox.now() >= since;
  }
}
