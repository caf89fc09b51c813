package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.codec.Marker;
import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.codec.RestorePatch;
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
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.policy.Policy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns decisions about a slot into requests, one at a time per name, and takes their outcomes. */
final class Desk {
  private final Policy policy;
  private final Limits limits;
  private final Agenda agenda;
  private final Backoff backoff;

  private List<Effect> out = new ArrayList<>();
  private Moment now = new Moment(0, () -> "");
  private int inFlight;
  private long recordsRv;
  private long nodesRv;

  Desk(Policy policy, Limits limits, Agenda agenda) {
    this.policy = policy;
    this.limits = limits;
    this.agenda = agenda;
    this.backoff = new Backoff(limits);
  }

  void open(Moment moment) {
    now = moment;
    out = new ArrayList<>();
  }

  List<Effect> close() {
    return out;
  }

  long now() {
    return now.millis();
  }

  int inFlight() {
    return inFlight;
  }

  boolean hasRoom() {
    return inFlight < limits.inFlight();
  }

  /** The record watch has shown everything up to here. */
  void recordsRv(long rv) {
    recordsRv = Math.max(recordsRv, rv);
  }

  void nodesRv(long rv) {
    nodesRv = rv;
  }

  void report(String node, Reason reason, String message) {
    out.add(new Effect.Report(node, reason, message));
  }

  private void reportOnce(Slot slot, Reason reason, String message) {
    if (slot.reported.add(reason + message)) {
      report(slot.name, reason, message);
    }
  }

  void consider(Slot slot) {
    if (slot.inFlight != null) {
      return;
    }
    if (now.millis() < slot.notBefore) {
      agenda.wake(slot, slot.notBefore);
      return;
    }
    if (!hasRoom()) {
      agenda.await(slot);
      return;
    }
    if (slot.doubtRecord) {
      send(slot, new Effect.ReadRecord(slot.name), null);
      return;
    }
    if (tombstones(slot)) {
      return;
    }
    if (slot.node == null) {
      absent(slot);
    } else if (slot.awaitRv <= slot.node.rv() || now.millis() >= slot.awaitUntil) {
      living(slot, slot.node);
    } else {
      agenda.wake(slot, slot.awaitUntil);
    }
  }

  // ---- decisions

  /** True when one of them needs a request: the living node waits for its predecessors. */
  private boolean tombstones(Slot slot) {
    slot.tombstones.removeIf(t -> now.millis() - t.since() > limits.tombstoneLife().toMillis());
    for (Tombstone tombstone : List.copyOf(slot.tombstones)) {
      switch (decide(slot, tombstone.view())) {
        case Nothing _ -> {
          if (settled(slot, tombstone)) {
            slot.tombstones.remove(tombstone);
          }
        }
        case Inert inert -> reportUnreadable(slot, inert);
        case Decision.ReadRecord _ -> {
          send(slot, new Effect.ReadRecord(slot.name), null);
          return true;
        }
        case Write write -> {
          write(slot, write, write.cause() == Cause.HAND_EDIT ? null : tombstone);
          return true;
        }
        case Restore _ -> throw new IllegalStateException("a restore onto a deleted node");
      }
    }
    return false;
  }

  /** "Nothing" counts only from a record as new as the deletion; a lagging cache proves nothing. */
  private boolean settled(Slot slot, Tombstone tombstone) {
    NodeRecord record = slot.readable();
    return recordsRv >= tombstone.asOf() || (record != null && record.rv() >= tombstone.rv());
  }

  private Decision decide(Slot slot, NodeView view) {
    Decision decision = Decider.decide(view, slot.record(), policy);
    if (!(decision instanceof Decision.ReadRecord)) {
      return decision;
    }
    // A forged number must neither block a restore nor buy reads.
    String claim = view.state().uid() + view.state().marker();
    return slot.liveReads.size() < limits.restores() && slot.liveReads.add(claim)
        ? decision
        : Decider.decide(view.afterLiveRead(), slot.record(), policy);
  }

  private void absent(Slot slot) {
    NodeRecord record = slot.readable();
    if (record == null) {
      return;
    }
    if (record.edited()) {
      write(slot, Decider.handEdit(record), null);
    } else {
      deleteWhenEmpty(slot, record);
    }
  }

  private void living(Slot slot, NodeState node) {
    NodeView view = NodeView.living(node, Objects.requireNonNull(slot.knowledge));
    switch (decide(slot, view)) {
      case Nothing(Why why) -> {
        slot.calm = why != Why.OLDER_THAN_RECORD;
        slot.firstChange = 0;
        NodeRecord record = slot.readable();
        if (record != null && why != Why.TERMINATING) {
          deleteWhenEmpty(slot, record);
        }
      }
      case Inert inert -> {
        slot.calm = true;
        reportUnreadable(slot, inert);
      }
      case Decision.ReadRecord _ -> send(slot, new Effect.ReadRecord(slot.name), null);
      case Write write -> {
        if (write.cause() == Cause.CREATE && !livesAfterForget(slot)) {
          send(slot, new Effect.ReadNode(slot.name), null);
        } else {
          writeWhenSettled(slot, write);
        }
      }
      case Restore restore -> restore(slot, node, restore);
    }
  }

  /** The record was deleted: only a node that lived later than that may bring it back. */
  private boolean livesAfterForget(Slot slot) {
    return Math.max(slot.aliveRv, nodesRv) >= slot.forgottenRv;
  }

  private void writeWhenSettled(Slot slot, Write write) {
    long quiet = slot.lastChange + limits.settle().toMillis();
    long latest =
        (slot.firstChange == 0 ? slot.lastChange : slot.firstChange)
            + limits.settleMax().toMillis();
    long due = Math.min(quiet, latest);
    if (now.millis() < due && !changesTaints(slot, write)) {
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

  private void deleteWhenEmpty(Slot slot, NodeRecord record) {
    if (!record.content().isEmpty() || record.edited()) {
      return;
    }
    if (slot.emptySince == 0) {
      slot.emptySince = now.millis();
    }
    long due = slot.emptySince + limits.emptyGrace().toMillis();
    if (now.millis() < due) {
      agenda.wake(slot, due);
    } else {
      send(slot, new Effect.DeleteRecord(slot.name, record), null);
    }
  }

  private void reportUnreadable(Slot slot, Inert inert) {
    reportOnce(
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

  private void send(Slot slot, Effect.Request request, @Nullable Tombstone forTombstone) {
    slot.inFlight = request;
    slot.inFlightFor = forTombstone;
    inFlight++;
    out.add(request);
  }

  private void write(Slot slot, Write write, @Nullable Tombstone tombstone) {
    NodeRecord from = slot.readable();
    NodeRecord next =
        (from == null ? NodeRecord.none(slot.name) : from)
            .next(
                write.draft(),
                now.nonce().get(),
                Instant.ofEpochMilli(now.millis()).toString(),
                limits.versions());
    if (!write.trimmed().isEmpty()) {
      reportOnce(
          slot,
          Reason.RECORD_TRIMMED,
          "too large for one record, not kept: " + names(write.trimmed()));
    }
    if (from != null && write.cause() == Cause.HAND_EDIT && !from.notes().isEmpty()) {
      reportOnce(
          slot,
          Reason.RECORD_ODD,
          "its record has entries that no node can take: " + String.join("; ", from.notes()));
    }
    slot.firstChange = 0;
    Map<String, String> data = RecordCodec.write(next);
    Purpose purpose = purpose(write.cause());
    send(
        slot,
        from == null
            ? new Effect.CreateRecord(slot.name, data, next, purpose)
            : new Effect.UpdateRecord(slot.name, data, next, purpose),
        tombstone);
  }

  private static Purpose purpose(Cause cause) {
    return switch (cause) {
      case CREATE -> Purpose.CREATE;
      case CAPTURE -> Purpose.CAPTURE;
      case ADOPT -> Purpose.ADOPT;
      case MERGE, LATE_MERGE -> Purpose.MERGE;
      case HAND_EDIT -> Purpose.HAND_EDIT;
    };
  }

  private static String names(Iterable<Key> keys) {
    StringBuilder text = new StringBuilder();
    keys.forEach(key -> text.append(text.isEmpty() ? "" : ", ").append(key));
    return text.length() > 500 ? text.substring(0, 500) + "..." : text.toString();
  }

  private void restore(Slot slot, NodeState node, Restore restore) {
    if (slot.restores >= limits.restores() && now.millis() < slot.restoreAfter) {
      agenda.wake(slot, slot.restoreAfter);
      return;
    }
    if (!restore.withheld().isEmpty()) {
      reportOnce(
          slot,
          Reason.KEYS_WITHHELD,
          (restore.inDoubt()
                  ? "it may be another machine under the old name, so these stay in the record: "
                  : "these stay in the record only: ")
              + names(restore.withheld()));
    }
    String withheld = Marker.list(restore.withheld());
    String marker = Marker.of(restore.version(), node.uid(), withheld);
    RestorePatch patch = new RestorePatch(node, restore.changes(), marker, withheld);
    Optional<RestorePatch> taints = patch.taintsAlone();
    Effect.PatchNode request;
    if (slot.conflicts == 0) {
      request = patchNode(node, RestorePatch.MERGE, patch.mergeBody(), Purpose.RESTORE);
    } else if (slot.conflicts >= Backoff.CONFLICTS_BEFORE_TAINTS
        && taints.isPresent()
        && !slot.taintsSent) {
      request = patchNode(node, RestorePatch.JSON, taints.get().testedBody(), Purpose.TAINTS_FIRST);
    } else {
      request = patchNode(node, RestorePatch.JSON, patch.testedBody(), Purpose.RESTORE);
    }
    send(slot, request, null);
  }

  private static Effect.PatchNode patchNode(
      NodeState node, String type, String body, Purpose purpose) {
    return new Effect.PatchNode(node.name(), node.uid(), node.rv(), type, body, purpose);
  }

  // ---- outcomes

  void finished(Slot slot) {
    if (slot.inFlight != null) {
      slot.inFlight = null;
      inFlight--;
    }
  }

  void done(Slot slot, Effect.Request request, Outcome outcome) {
    Tombstone tombstone = slot.inFlightFor;
    finished(slot);
    switch (outcome) {
      case Outcome.Ok(Origin origin) -> {
        slot.failures = 0;
        ok(slot, request, origin, tombstone);
      }
      case Outcome.Conflict(String detail) -> conflict(slot, request, detail);
      case Outcome.Gone() -> {
        // A 404 never turns into a create: the watch will tell.
        slot.doubtRecord =
            !(request instanceof Effect.PatchNode || request instanceof Effect.ReadNode);
        slot.waitUntil(now.millis() + Backoff.NEWS_MILLIS, Slot.Wait.OR_NEWS);
      }
      case Outcome.Refused(int code, String detail) -> {
        reportOnce(
            slot, Reason.REQUEST_REFUSED, "the API server refused it (" + code + "): " + detail);
        slot.waitUntil(now.millis() + backoff.refused(slot.name, slot.failures++), Slot.Wait.FULLY);
      }
      case Outcome.Unknown(String detail, long retryAfter) -> {
        long wait = Math.max(retryAfter, backoff.unknown(slot.name, slot.failures++));
        report(slot.name, Reason.RETRY, detail + "; again in " + wait + " ms");
        slot.waitUntil(now.millis() + wait, Slot.Wait.FULLY);
      }
    }
  }

  private void ok(Slot slot, Effect.Request request, Origin origin, @Nullable Tombstone tombstone) {
    switch (request) {
      case Effect.PatchNode patch -> patched(slot, patch, origin.rv());
      case Effect.CreateRecord(_, _, NodeRecord record, Purpose purpose) ->
          stored(slot, record.storedAs(origin), purpose, tombstone);
      case Effect.UpdateRecord(_, _, NodeRecord record, Purpose purpose) ->
          stored(slot, record.storedAs(origin), purpose, tombstone);
      case Effect.DeleteRecord _ -> {
        slot.doubtRecord = true;
        slot.waitUntil(now.millis() + Backoff.NEWS_MILLIS, Slot.Wait.OR_NEWS);
      }
      case Effect.ReadRecord _, Effect.ReadNode _ -> {}
    }
  }

  private void patched(Slot slot, Effect.PatchNode patch, long rv) {
    if (slot.node == null || !slot.node.uid().equals(patch.uid())) {
      return;
    }
    slot.awaitRv = rv;
    slot.awaitUntil = now.millis() + Backoff.ECHO_MILLIS;
    if (patch.purpose() == Purpose.TAINTS_FIRST) {
      slot.taintsSent = true;
      return;
    }
    slot.conflicts = 0;
    slot.restores++;
    report(slot.name, Reason.RESTORED, "restored");
    if (slot.restores >= limits.restores()) {
      slot.restoreAfter =
          now.millis() + backoff.restores(slot.name, slot.restores - limits.restores());
      report(
          slot.name,
          Reason.RESTORE_LIMIT,
          "restored " + slot.restores + " times in one life: something undoes it; we pause");
    }
  }

  private void stored(
      Slot slot, NodeRecord record, Purpose purpose, @Nullable Tombstone tombstone) {
    if (slot.stored == null || slot.stored.origin().rv() < record.origin().rv()) {
      slot.learn(record);
    }
    if (tombstone != null) {
      slot.tombstones.remove(tombstone);
    }
    if (purpose == Purpose.HAND_EDIT) {
      slot.restores = 0;
      slot.restoreAfter = 0;
    }
    report(
        slot.name,
        purpose == Purpose.HAND_EDIT ? Reason.HAND_EDIT : Reason.CAPTURED,
        "record version " + record.generation() + " (" + purpose.word() + ")");
  }

  private void conflict(Slot slot, Effect.Request request, String detail) {
    report(slot.name, Reason.RETRY, detail);
    if (!(request instanceof Effect.PatchNode patch)) {
      slot.doubtRecord = true;
      slot.waitUntil(now.millis() + Backoff.NEWS_MILLIS, Slot.Wait.OR_NEWS);
    } else if (slot.node != null && slot.node.uid().equals(patch.uid())) {
      slot.conflicts++;
      boolean newsAlready = slot.node.rv() > patch.rv();
      long wait = newsAlready ? 0 : backoff.conflict(slot.name, slot.conflicts);
      slot.waitUntil(now.millis() + wait, Slot.Wait.OR_NEWS);
    }
  }
}
