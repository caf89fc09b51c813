package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.decide.NodeView;

/**
 * The last known state of a deleted incarnation that its record may not hold yet.
 *
 * @param asOf the revision at which we knew that it was gone
 * @param since the time at which we learnt it
 * @param quiet it had nothing to add to the record when last looked at
 */
record Tombstone(NodeView view, long asOf, long since, boolean quiet) {
  Tombstone quiet(boolean now) {
    return new Tombstone(view, asOf, since, now);
  }

  String uid() {
    return view.state().uid();
  }

  long rv() {
    return view.state().rv();
  }
}
