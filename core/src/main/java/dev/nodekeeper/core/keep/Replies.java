package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.keep.Effect.Purpose;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Origin;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the outcome of a request means for its slot: what we know now, and when to look again. */
final class Replies {
  private static final int CONFLICTS_WORTH_TELLING = 20;

  /** Spread by the back-off over more than four minutes. */
  private static final int READS_OF_A_MISSING_RECORD = 9;

  private final Horizon horizon;
  private final Outbox outbox;

  Replies(Horizon horizon, Outbox outbox) {
    this.horizon = horizon;
    this.outbox = outbox;
  }

  void done(Slot slot, Effect.Request request, Outcome outcome) {
    Tombstone settles = outbox.finished(slot);
    switch (outcome) {
      case Outcome.Ok(Origin origin) -> {
        slot.turn().failures = 0;
        slot.refused = false;
        ok(slot, request, origin, settles);
      }
      case Outcome.Conflict(String detail) -> {
        outbox.report(slot.name, Reason.RETRY, detail);
        if (request instanceof Effect.PatchNode patch) {
          patchConflict(slot, patch, detail);
        } else {
          doubtRecord(slot, request);
        }
      }
      case Outcome.Gone() -> {
        // A 404 never turns into a create: the watch will tell what was deleted.
        if (!(request instanceof Effect.PatchNode patch)) {
          doubtRecord(slot, request);
        } else if (isAbout(slot, patch)) {
          slot.waitUntil(outbox.now() + Backoff.NEWS_MILLIS, Slot.Wait.OR_NEWS);
        }
      }
      case Outcome.NotSent() -> {
        if (!slot.turn().overtaken) {
          slot.waitUntil(outbox.now() + Backoff.NEWS_MILLIS, Slot.Wait.OR_NEWS);
        }
      }
      case Outcome.Refused(int code, String detail) -> {
        outbox.reportOnce(
            slot, Reason.REQUEST_REFUSED, "the API server refused it (" + code + "): " + detail);
        slot.refused = true;
        long wait = Backoff.refused(slot.name, slot.turn().failures++);
        slot.waitUntil(outbox.now() + wait, Slot.Wait.FULLY);
        if (request instanceof Effect.PatchNode patch && isAbout(slot, patch)) {
          // A kubelet can fill its annotations until no marker fits: taints do not wait for one.
          slot.turn().conflicts =
              Math.max(slot.turn().conflicts, Restoring.CONFLICTS_BEFORE_TAINTS);
        }
      }
      case Outcome.Unknown(String detail, long retryAfter) -> {
        long wait = Math.max(retryAfter, Backoff.unknown(slot.name, slot.turn().failures++));
        outbox.report(slot.name, Reason.RETRY, detail + "; again in " + wait + " ms");
        slot.waitUntil(outbox.now() + wait, Slot.Wait.FULLY);
        // It may have happened: what we cached of the record is not what is there.
        slot.turn().doubtRecord |=
            request instanceof Effect.CreateRecord || request instanceof Effect.UpdateRecord;
      }
    }
  }

  /** Proof of life only: what happened in between must come through the watch, touch by touch. */
  void nodeRead(Slot slot, Optional<NodeState> read) {
    outbox.finished(slot);
    slot.refused = false;
    NodeState known = slot.node;
    if (known == null && read.isEmpty()) {
      slot.turn().looked = true;
    } else if (known != null
        && read.filter(n -> n.life().isOf(known.life()) && n.rv() == known.rv()).isPresent()) {
      slot.turn().looked = true;
      slot.aliveRv = Math.max(slot.aliveRv, slot.knownPast().forgottenRv);
    } else {
      slot.waitUntil(outbox.now() + Backoff.NEWS_MILLIS, Slot.Wait.OR_NEWS);
    }
  }

  void recordRead(Slot slot, Optional<Stored> read) {
    outbox.finished(slot);
    slot.refused = false;
    if (slot.turn().readFor != null) {
      slot.once().settle(slot.turn().readFor);
      slot.turn().readFor = null;
    }
    slot.turn().recordAsOf = slot.turn().readAt;
    slot.turn().doubtRecord = isBehind(read, slot);
    read.filter(r -> r.origin().rv() > horizon.records || isAt(r, slot)).ifPresent(slot::learn);
    if (slot.turn().doubtRecord) {
      notFound(slot, read);
    }
  }

  /** What we know is not there (any more): no read is older than what was there before it. */
  private static boolean isBehind(Optional<Stored> read, Slot slot) {
    return slot.hasRecord() && read.map(r -> r.origin().rv() < slot.recordRv()).orElse(true);
  }

  private static boolean isAt(Stored read, Slot slot) {
    return slot.hasRecord() && read.origin().rv() == slot.recordRv();
  }

  /**
   * Gone, but only the watch can tell since when: until then nothing is put in its place. A watch
   * that has passed it and says nothing for minutes never will (a restored etcd).
   */
  private void notFound(Slot slot, Optional<Stored> read) {
    boolean passed = slot.hasRecord() && slot.recordRv() <= horizon.records;
    if (passed && slot.turn().failures >= READS_OF_A_MISSING_RECORD) {
      slot.turn().failures = 0;
      if (read.isEmpty()) {
        slot.forget(horizon.records);
      } else {
        slot.resetRecord();
        slot.learn(read.get());
      }
    } else {
      long wait = Backoff.refused(slot.name, slot.turn().failures++);
      slot.waitUntil(outbox.now() + wait, Slot.Wait.OR_NEWS);
    }
  }

  private void ok(Slot slot, Effect.Request request, Origin origin, @Nullable Tombstone settles) {
    switch (request) {
      case Effect.PatchNode patch -> patched(slot, patch, origin.rv());
      case Effect.CreateRecord(_, _, NodeRecord record, Purpose purpose) ->
          stored(slot, record.storedAs(origin), purpose, settles);
      case Effect.UpdateRecord(_, _, NodeRecord record, Purpose purpose) ->
          stored(slot, record.storedAs(origin), purpose, settles);
      case Effect.DeleteRecord(_, NodeRecord record) -> {
        if (record.spent()) {
          outbox.report(
              slot.name,
              Reason.REMOVED,
              "nothing is left in its record",
              Effect.Facts.of(record.generation()));
        }
        doubtRecord(slot, request);
      }
      case Effect.ReadRecord _, Effect.ReadNode _ -> {}
    }
  }

  private void patched(Slot slot, Effect.PatchNode patch, long rv) {
    if (!isAbout(slot, patch)) {
      return;
    }
    slot.await(rv, outbox.now() + Backoff.ECHO_MILLIS);
    if (patch.purpose() == Purpose.TAINTS_FIRST) {
      slot.turn().taintsSent = true;
      outbox.report(
          slot.name, Reason.NOTED, "ahead of the rest: " + patch.gift().words(), facts(patch, 0));
      return;
    }
    slot.turn().conflicts = 0;
    slot.countRestore(rv == patch.rv() ? 0 : rv);
    Effect.Gift gift = patch.gift();
    outbox.report(
        slot.name,
        Reason.RESTORED,
        "%s (record version %d, life %s -> %s)"
            .formatted(
                gift.isEmpty() ? "it had everything, and is marked" : gift.words(),
                gift.version(),
                gift.from().isEmpty() ? "none" : gift.from(),
                patch.uid()),
        facts(patch, slot.endWait(outbox.now())));
  }

  private static Effect.Facts facts(Effect.PatchNode patch, long took) {
    return new Effect.Facts(patch.gift().version(), patch.uid(), patch.gift(), took);
  }

  private void stored(Slot slot, NodeRecord record, Purpose purpose, @Nullable Tombstone settles) {
    // What the watch has passed already it has told: without it there, it was deleted since.
    if (record.origin().rv() > horizon.records) {
      slot.learn(record);
    } else if (!slot.hasRecord() && slot.knownPast().forgottenRv <= record.origin().rv()) {
      slot.forget(horizon.records);
    }
    if (settles != null) {
      slot.past().remove(settles);
    }
    if (purpose == Purpose.AWAY || purpose == Purpose.PRESENT) {
      outbox.report(slot.name, Reason.NOTED, purpose.word(), Effect.Facts.of(record.generation()));
    } else {
      long took = settles == null ? slot.endWait(outbox.now()) : outbox.now() - settles.since();
      outbox.report(
          slot.name,
          purpose == Purpose.HAND_EDIT ? Reason.HAND_EDIT : Reason.CAPTURED,
          "record version " + record.generation() + " (" + purpose.word() + ")",
          new Effect.Facts(record.generation(), record.uid(), Effect.Gift.NONE, took));
    }
  }

  /** Not when the incarnation is known to be gone by now. */
  private static boolean isAbout(Slot slot, Effect.PatchNode patch) {
    return slot.node != null && slot.node.uid().equals(patch.uid());
  }

  private void patchConflict(Slot slot, Effect.PatchNode patch, String detail) {
    if (slot.node != null && isAbout(slot, patch)) {
      slot.turn().conflicts++;
      if (slot.turn().conflicts == CONFLICTS_WORTH_TELLING) {
        outbox.reportOnce(
            slot,
            Reason.REQUEST_REFUSED,
            "its restore has not landed in " + slot.turn().conflicts + " tries: " + detail);
      }
      boolean newsAlready = slot.node.rv() > patch.rv();
      long wait = newsAlready ? 0 : Backoff.conflict(slot.name, slot.turn().conflicts);
      slot.waitUntil(outbox.now() + wait, Slot.Wait.OR_NEWS);
    }
  }

  /** The record is not as we thought: wait for news of it, and read it when none arrive. */
  private void doubtRecord(Slot slot, Effect.Request request) {
    if (!hasNewsSince(slot, request)) {
      slot.turn().doubtRecord = true;
      slot.waitUntil(outbox.now() + Backoff.NEWS_MILLIS, Slot.Wait.OR_NEWS);
    }
  }

  private static boolean hasNewsSince(Slot slot, Effect.Request request) {
    long sentWith =
        switch (request) {
          case Effect.UpdateRecord(_, _, NodeRecord record, _) -> record.origin().rv();
          case Effect.DeleteRecord(_, NodeRecord record) -> record.origin().rv();
          case Effect.CreateRecord _ -> 0;
          case Effect.PatchNode _, Effect.ReadNode _, Effect.ReadRecord _ -> -1;
        };
    long cached = slot.recordRv();
    return sentWith >= 0 && sentWith != cached;
  }
}
