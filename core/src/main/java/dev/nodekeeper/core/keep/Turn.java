package dev.nodekeeper.core.keep;

import org.jspecify.annotations.Nullable;

/** What is under way for a name, or was tried of late. Most names have nothing under way. */
final class Turn {
  Effect.@Nullable Request inFlight;
  @Nullable Tombstone inFlightFor;

  /** The claim of a marker that the read in flight is to settle. */
  @Nullable String readFor;

  /** The node's revision when the record was last asked for, and when it was last read. */
  long readAt;

  long recordAsOf;

  /** Nothing is decided before this time, unless news arrive first where {@code untilNews}. */
  long notBefore;

  boolean untilNews;
  int failures;

  /** A life began or ended or the record changed since the request in flight was decided. */
  boolean overtaken;

  /** The cached record lost a race: read it when no news arrive. */
  boolean doubtRecord;

  /** A live look has just shown what we know: this node as it is, or none. */
  boolean looked;

  /** Since when the living node waits for us: it registered, or was changed; 0 when it does not. */
  long waitingSince;

  long firstChange;
  long lastChange;
  long emptySince;

  // Of the living incarnation.

  int conflicts;
  boolean taintsSent;
  long restoreAfter;

  /** Until the watch shows our own patch: its revision, and how long we wait for it. */
  long awaitRv;

  long awaitUntil;

  void beginLife(long now) {
    conflicts = 0;
    taintsSent = false;
    restoreAfter = 0;
    awaitRv = 0;
    firstChange = 0;
    lastChange = now;
    waitingSince = now;
  }

  void news() {
    notBefore = 0;
    untilNews = false;
  }

  /** Nothing in it says more than a new one would. */
  boolean over() {
    return inFlight == null
        && readFor == null
        && recordAsOf == 0
        && notBefore == 0
        && failures == 0
        && !doubtRecord
        && !looked
        && waitingSince == 0
        && firstChange == 0
        && emptySince == 0
        && conflicts == 0
        && !taintsSent
        && restoreAfter == 0
        && awaitRv == 0;
  }
}
