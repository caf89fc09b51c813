package dev.nodekeeper.core.decide;

import dev.nodekeeper.core.model.NodeState;

/**
 * A node as a decision sees it.
 *
 * @param deleted its last state: a tombstone
 * @param liveRead the record beside it was read from the API server for this very view
 */
public record NodeView(NodeState state, Knowledge knowledge, boolean deleted, boolean liveRead) {

  public static NodeView living(NodeState state, Knowledge knowledge) {
    return new NodeView(state, knowledge, false, false);
  }

  public static NodeView tombstone(NodeState state, Knowledge knowledge) {
    return new NodeView(state, knowledge, true, false);
  }

  public NodeView afterLiveRead() {
    return new NodeView(state, knowledge, deleted, true);
  }
}
