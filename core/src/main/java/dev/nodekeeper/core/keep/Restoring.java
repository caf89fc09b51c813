package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.codec.Marker;
import dev.nodekeeper.core.codec.RestorePatch;
import dev.nodekeeper.core.decide.Decision.Restore;
import dev.nodekeeper.core.keep.Effect.Gift;
import dev.nodekeeper.core.keep.Effect.Purpose;
import dev.nodekeeper.core.model.NodeState;
import java.util.Optional;

/** How a restore is sent: exact at first, then ever more able to land, and never as a fight. */
final class Restoring {
  /** A node that is written to without pause gets its taints first, alone, after so many. */
  static final int CONFLICTS_BEFORE_TAINTS = 3;

  private final Limits limits;
  private final Agenda agenda;
  private final Outbox outbox;

  Restoring(Limits limits, Agenda agenda, Outbox outbox) {
    this.limits = limits;
    this.agenda = agenda;
    this.outbox = outbox;
  }

  void restore(Slot slot, NodeState node, Restore restore) {
    if (slot.restores >= limits.restores() && paused(slot)) {
      agenda.wake(slot, slot.turn().restoreAfter);
      return;
    }
    if (!restore.withheld().isEmpty()) {
      outbox.reportOnce(
          slot,
          Reason.KEYS_WITHHELD,
          (restore.inDoubt()
                  ? "it may be another machine under the old name, so these stay in the record: "
                  : "these stay in the record only: ")
              + Outbox.names(restore.withheld()));
    }
    String withheld = Marker.list(restore.withheld());
    String marker = Marker.after(node.marker(), restore.version(), node.uid(), withheld);
    RestorePatch patch = new RestorePatch(node, restore.changes(), marker, withheld);
    Optional<RestorePatch> taints = patch.taintsAlone();
    Gift gift = Gift.of(restore.version(), restore.changes());
    Effect.PatchNode request;
    if (slot.turn().conflicts == 0) {
      request = patchNode(node, RestorePatch.MERGE, patch.mergeBody(), Purpose.RESTORE, gift);
    } else if (slot.turn().conflicts >= CONFLICTS_BEFORE_TAINTS
        && taints.isPresent()
        && !slot.turn().taintsSent) {
      request =
          patchNode(
              node,
              RestorePatch.JSON,
              taints.get().testedBody(),
              Purpose.TAINTS_FIRST,
              Gift.of(restore.version(), taints.get().changes()));
    } else {
      request = patchNode(node, RestorePatch.JSON, patch.testedBody(), Purpose.RESTORE, gift);
    }
    outbox.send(slot, request);
  }

  /** Something undoes what we restore: we do not fight, we pause, longer each time. */
  private boolean paused(Slot slot) {
    if (slot.turn().restoreAfter == 0) {
      int beyond = slot.restores - limits.restores();
      slot.turn().restoreAfter = outbox.now() + Backoff.restores(slot.name, beyond);
      outbox.report(
          slot.name,
          Reason.RESTORE_LIMIT,
          "restored " + slot.restores + " times in one life: something undoes it, so we pause");
    }
    if (outbox.now() < slot.turn().restoreAfter) {
      return true;
    }
    slot.turn().restoreAfter = 0;
    return false;
  }

  private static Effect.PatchNode patchNode(
      NodeState node, String type, String body, Purpose purpose, Gift gift) {
    return new Effect.PatchNode(node.name(), node.uid(), node.rv(), type, body, purpose, gift);
  }
}
