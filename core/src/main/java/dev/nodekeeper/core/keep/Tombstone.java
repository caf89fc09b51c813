package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.decide.NodeView;

/**
 * The last known state of a deleted incarnation that its record may not hold yet.
 *
 * @param asOf the revision at which we knew that it was gone
 * @param since the time at which we learnt it
 */
record Tombstone(NodeView view, long asOf, long since) {
  String uid() {
    return view.state().uid();
  }

  long rv() {
    return view.state().rv();
  }
}
