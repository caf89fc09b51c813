package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.keep.Effect.Purpose;
import dev.nodekeeper.core.model.NodeRecord;
import java.time.Duration;
import java.time.Instant;

/** How long records are kept: empty ones for a moment, those of nodes that stay away for months. */
final class Retention {
  /** A reboot, a repair: not away yet. */
  private static final Duration ABSENT = Duration.ofHours(1);

  private final Limits limits;
  private final Agenda agenda;
  private final Outbox outbox;

  Retention(Limits limits, Agenda agenda, Outbox outbox) {
    this.limits = limits;
    this.agenda = agenda;
    this.outbox = outbox;
  }

  /** Its node is there, and nothing else is to be written. */
  void present(Slot slot, NodeRecord record) {
    if (record.origin().awaySince() != 0) {
      say(slot, record.away(0), Purpose.PRESENT);
    } else {
      deleteWhenEmpty(slot, record);
    }
  }

  /** Its node is not there, and nothing else is to be written. */
  void absent(Slot slot, NodeRecord record) {
    Duration forgetAfter = limits.forgetAfter();
    long since = record.origin().awaySince();
    if (record.spent()) {
      deleteWhenEmpty(slot, record);
    } else if (forgetAfter.isZero() || record.origin().exempt() || outbox.serverNow() == 0) {
      return;
    } else if (since == 0) {
      Duration absent = forgetAfter.compareTo(ABSENT) < 0 ? forgetAfter : ABSENT;
      if (outbox.now() - slot.knownPast().absentSince >= absent.toMillis()) {
        say(slot, record.away(outbox.serverNow()), Purpose.AWAY);
      }
    } else if (Math.min(outbox.serverNow(), outbox.now()) - since >= forgetAfter.toMillis()) {
      // Both clocks say so: where one is wrong by years, nothing is forgotten.
      forget(slot, record);
    }
  }

  private void forget(Slot slot, NodeRecord record) {
    if (!looked(slot)) {
      return;
    }
    outbox.report(
        slot.name,
        Reason.FORGOTTEN,
        "away since %s, longer than --forget-after: its record is removed"
            .formatted(Instant.ofEpochMilli(record.origin().awaySince())),
        Effect.Facts.of(record.generation()));
    outbox.send(slot, new Effect.DeleteRecord(slot.name, record));
  }

  /** Our watch may be behind: only a live look counts. */
  private boolean looked(Slot slot) {
    if (!slot.turn().looked) {
      outbox.send(slot, new Effect.ReadNode(slot.name));
    }
    return slot.turn().looked;
  }

  private void say(Slot slot, NodeRecord record, Purpose purpose) {
    outbox.send(
        slot, new Effect.UpdateRecord(slot.name, RecordCodec.write(record), record, purpose));
  }

  private void deleteWhenEmpty(Slot slot, NodeRecord record) {
    if (!record.spent()) {
      return;
    }
    if (slot.turn().emptySince == 0) {
      slot.turn().emptySince = outbox.now();
    }
    long due = slot.turn().emptySince + limits.emptyGrace().toMillis();
    if (outbox.now() < due) {
      agenda.wake(slot, due);
    } else if (looked(slot)) {
      outbox.send(slot, new Effect.DeleteRecord(slot.name, record));
    }
  }
}
