package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.decide.Decider;
import dev.nodekeeper.core.decide.Decision;
import dev.nodekeeper.core.decide.Decision.Cause;
import dev.nodekeeper.core.decide.Decision.Inert;
import dev.nodekeeper.core.decide.Decision.Nothing;
import dev.nodekeeper.core.decide.Decision.Restore;
import dev.nodekeeper.core.decide.Decision.Why;
import dev.nodekeeper.core.decide.Decision.Write;
import dev.nodekeeper.core.decide.NodeView;
import dev.nodekeeper.core.keep.Effect.Purpose;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.State;
import dev.nodekeeper.core.policy.Policy;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns decisions about a slot into requests, one at a time per name. */
final class Desk {
  private final Policy policy;
  private final Limits limits;
  private final Agenda agenda;
  private final Waiting waiting;
  private final Horizon horizon;
  private final Duty duty;
  private final Outbox outbox;
  private final Tally tally;
  private final Restoring restoring;
  private final Settling settling;
  private final Retention retention;

  Desk(
      Policy policy,
      Limits limits,
      Agenda agenda,
      Waiting waiting,
      Horizon horizon,
      Duty duty,
      Outbox outbox,
      Tally tally) {
    this.policy = policy;
    this.limits = limits;
    this.agenda = agenda;
    this.waiting = waiting;
    this.horizon = horizon;
    this.duty = duty;
    this.outbox = outbox;
    this.tally = tally;
    this.restoring = new Restoring(limits, agenda, outbox);
    this.settling = new Settling(limits, agenda, horizon, outbox);
    this.retention = new Retention(limits, agenda, outbox);
  }

  void consider(Slot slot) {
    if (outbox.now() >= slot.wakeAt) {
      slot.wakeAt = 0;
    }
    if (slot.node == null && slot.knownPast().absentSince == 0) {
      slot.past().absentSince = outbox.now();
    }
    if (slot.turn().inFlight != null) {
      outbox.recall(slot);
      return;
    }
    if (!duty.covers(slot)) {
      lookOn(slot);
      return;
    }
    if (!mayAsk(slot)) {
      return;
    }
    if (slot.turn().doubtRecord) {
      readRecord(slot);
      return;
    }
    if (tombstones(slot)) {
      return;
    }
    if (slot.node == null) {
      absent(slot);
    } else if (slot.turn().awaitRv <= slot.node.rv() || outbox.now() >= slot.turn().awaitUntil) {
      living(slot, slot.node);
    } else {
      agenda.wake(slot, slot.turn().awaitUntil);
    }
  }

  void queue(Slot slot) {
    waiting.add(slot.name, slot.urgency(), duty.shard(slot.name), outbox.now());
  }

  /** Another's to do: what is done is let go, the rest is kept in case it becomes ours. */
  private void lookOn(Slot slot) {
    settling.expire(slot);
    slot.calm = true;
    slot.followed();
    for (Tombstone tombstone : slot.knownPast().tombstones()) {
      switch (Decider.decide(tombstone.view(), slot.record(), policy)) {
        case Nothing _ -> settling.quiet(slot, tombstone);
        case Write write when duty.role.captures() && write.cause() != Cause.HAND_EDIT -> {
          Tombstone pending = slot.past().mark(tombstone, false);
          if (!settling.awaitsOwner(slot, pending) && mayAsk(slot)) {
            lastWord(slot, write, pending);
            return;
          }
        }
        default -> slot.past().mark(tombstone, false);
      }
    }
  }

  /** The owner has had its time: it does not know, and what we know must not be lost with us. */
  private void lastWord(Slot slot, Write write, Tombstone tombstone) {
    if (slot.turn().doubtRecord) {
      readRecord(slot);
    } else {
      write(slot, write, Purpose.LAST_WORD, tombstone);
    }
  }

  /** Else it is looked at again when that has changed. */
  private boolean mayAsk(Slot slot) {
    if (outbox.now() < slot.turn().notBefore) {
      agenda.wake(slot, slot.turn().notBefore);
      return false;
    }
    if (!outbox.hasRoom()) {
      queue(slot);
      return false;
    }
    return true;
  }

  // ---- decisions

  /** True when one of them needs a request: the living node waits for its predecessors. */
  private boolean tombstones(Slot slot) {
    settling.expire(slot);
    for (Tombstone tombstone : slot.knownPast().tombstones()) {
      switch (decide(slot, tombstone.view())) {
        case Nothing _ -> settling.quiet(slot, tombstone);
        case Inert inert -> reportUnreadable(slot, inert);
        case Decision.ReadRecord _ -> {
          readRecord(slot);
          return true;
        }
        case Write write -> {
          Tombstone pending = slot.past().mark(tombstone, false);
          if (duty.role.captures()) {
            write(slot, write, write.cause() == Cause.HAND_EDIT ? null : pending);
            return true;
          }
          if (settling.awaitsCapture(slot, pending)) {
            return true;
          }
        }
        case Restore _ -> throw new IllegalStateException("a restore onto a deleted node");
      }
    }
    return false;
  }

  private Decision decide(Slot slot, NodeView view) {
    Decision decision = decideOrRead(slot, view);
    tally.decided(decision);
    return decision;
  }

  private Decision decideOrRead(Slot slot, NodeView view) {
    Decision decision = Decider.decide(view, slot.record(), policy);
    if (!(decision instanceof Decision.ReadRecord)) {
      return decision;
    }
    if (reads(slot, view.state().uid() + " " + view.state().marker())) {
      return decision;
    }
    return Decider.decide(view.afterLiveRead(), slot.record(), policy);
  }

  /**
   * Others may have worked on a life that we only found: a restore needs a record that is as new.
   */
  private boolean readsFirst(Slot slot, NodeState node, NodeView view) {
    return !view.knowledge().registered()
        && Math.max(horizon.records, slot.recordKnownAt()) < node.rv()
        && reads(slot, node.uid() + "@" + node.rv());
  }

  /**
   * Once for each, and not for ever: a forged number must neither block a restore nor buy reads.
   */
  private boolean reads(Slot slot, String claim) {
    boolean may = slot.once().mayRead(claim, limits.restores());
    if (may) {
      slot.turn().readFor = claim;
    }
    return may;
  }

  private void absent(Slot slot) {
    NodeRecord record = slot.readable();
    if (record == null || !duty.role.captures()) {
      return;
    }
    if (record.edited()) {
      write(slot, Decider.handEdit(record), null);
    } else {
      retention.absent(slot, record);
    }
  }

  private void living(Slot slot, NodeState node) {
    NodeView view = NodeView.living(node, Objects.requireNonNull(slot.knowledge));
    switch (decide(slot, view)) {
      case Nothing(Why why) -> {
        slot.calm = why != Why.OLDER_THAN_RECORD;
        slot.turn().firstChange = 0;
        slot.upToDate();
        NodeRecord record = slot.readable();
        if (record != null && why != Why.TERMINATING && duty.role.captures()) {
          retention.present(slot, record);
        }
      }
      case Inert inert -> {
        slot.calm = true;
        slot.awaits(State.REFUSED, outbox.now());
        reportUnreadable(slot, inert);
      }
      case Decision.ReadRecord _ -> readRecord(slot);
      case Write write -> {
        slot.awaits(State.PENDING_CAPTURE, outbox.now());
        if (!duty.role.captures()) {
          slot.calm = true;
          markAgain(slot, node, view);
        } else if (write.cause() == Cause.CREATE && !livesAfterForget(slot)) {
          outbox.send(slot, new Effect.ReadNode(slot.name));
        } else {
          writeWhenSettled(slot, write);
        }
      }
      case Restore restore -> {
        slot.awaits(State.PENDING_RESTORE, outbox.now());
        if (!duty.role.restores()) {
          slot.calm = true;
        } else if (readsFirst(slot, node, view)) {
          readRecord(slot);
        } else {
          restoring.restore(slot, node, restore);
        }
      }
    }
  }

  private void markAgain(Slot slot, NodeState node, NodeView view) {
    NodeRecord record = slot.readable();
    if (record != null && !record.edited()) {
      Decider.markAgain(view, record, policy)
          .ifPresent(restore -> restoring.restore(slot, node, restore));
    }
  }

  /** The record was deleted: only a node that lived later than that may bring it back. */
  private boolean livesAfterForget(Slot slot) {
    return Math.max(slot.aliveRv, horizon.nodes) >= slot.knownPast().forgottenRv;
  }

  private void writeWhenSettled(Slot slot, Write write) {
    long quiet = slot.turn().lastChange + limits.settle().toMillis();
    long latest =
        (slot.turn().firstChange == 0 ? slot.turn().lastChange : slot.turn().firstChange)
            + limits.settleMax().toMillis();
    long due = Math.min(quiet, latest);
    if (outbox.now() < due && !changesTaints(slot, write)) {
      agenda.wake(slot, due);
    } else {
      write(slot, write, null);
    }
  }

  private static boolean changesTaints(Slot slot, Write write) {
    NodeRecord record = slot.readable();
    Content before = record == null ? Content.EMPTY : record.content();
    return before.changed(write.draft().content()).stream()
        .anyMatch(key -> key.kind() == Kind.TAINT);
  }

  private void reportUnreadable(Slot slot, Inert inert) {
    outbox.reportOnce(
        slot,
        Reason.RECORD_UNREADABLE,
        "its record cannot be used ("
            + inert.record().detail()
            + "): nothing is restored from it and it is not overwritten;"
            + " correct ConfigMap "
            + slot.name
            + " or delete it");
  }

  // ---- requests

  private void readRecord(Slot slot) {
    slot.turn().readAt = slot.node == null ? 0 : slot.node.rv();
    outbox.send(slot, new Effect.ReadRecord(slot.name));
  }

  private void write(Slot slot, Write write, @Nullable Tombstone tombstone) {
    write(slot, write, Purpose.of(write.cause()), tombstone);
  }

  private void write(Slot slot, Write write, Purpose purpose, @Nullable Tombstone tombstone) {
    NodeRecord from = slot.readable();
    NodeRecord next =
        (from == null ? NodeRecord.none(slot.name) : from)
            .next(
                write.draft(),
                outbox.nonce(),
                Instant.ofEpochMilli(outbox.now()).toString(),
                limits.versions());
    if (slot.node != null) {
      next = next.away(0);
    }
    if (!write.trimmed().isEmpty()) {
      outbox.reportOnce(
          slot,
          Reason.RECORD_TRIMMED,
          "too large for one record, not kept: " + Outbox.names(write.trimmed()));
    }
    if (from != null && write.cause() == Cause.HAND_EDIT && !from.notes().isEmpty()) {
      outbox.reportOnce(
          slot,
          Reason.RECORD_ODD,
          "its record has entries that no node can take: " + String.join("; ", from.notes()));
    }
    slot.turn().firstChange = 0;
    Map<String, String> data = RecordCodec.write(next);
    outbox.send(
        slot,
        from == null
            ? new Effect.CreateRecord(slot.name, data, next, purpose)
            : new Effect.UpdateRecord(slot.name, data, next, purpose),
        tombstone);
  }
}
