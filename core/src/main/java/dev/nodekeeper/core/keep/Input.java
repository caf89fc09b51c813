package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import java.util.List;
import java.util.Optional;

/** Everything that can happen to the Keeper. */
public sealed interface Input {

  /**
   * A consistent list of all nodes is about to be asked for (its revision tells of lost history).
   */
  record NodeListStarted() implements Input {}

  /** A complete, consistent list; {@code rv} is the revision that it shows. */
  record NodesListed(List<NodeState> nodes, long rv) implements Input {}

  /** A watch saw this node being created: its registration. */
  record NodeAdded(NodeState node) implements Input {}

  record NodeModified(NodeState node) implements Input {}

  /** The last state, at the revision of the deletion. */
  record NodeDeleted(NodeState node) implements Input {}

  /** The node watch has shown everything up to this revision (bookmark). */
  record NodeProgress(long rv) implements Input {}

  record RecordsListed(List<Stored> records, long rv) implements Input {}

  /** Created or changed. */
  record RecordSeen(Stored record) implements Input {}

  record RecordDeleted(String node, long rv) implements Input {}

  record RecordProgress(long rv) implements Input {}

  /** Which nodes are ours from now on; until the first of these, all are. */
  record Shared(Shares shares) implements Input {}

  /** An effect ended. */
  record Done(Effect.Request request, Outcome outcome) implements Input {}

  /** Answer to {@link Effect.ReadNode}: empty when there is no such node. */
  record NodeRead(Effect.ReadNode request, Optional<NodeState> node) implements Input {}

  /** Answer to {@link Effect.ReadRecord}: empty when there is no such record. */
  record RecordRead(Effect.ReadRecord request, Optional<Stored> record) implements Input {}

  /** Time has passed. */
  record Tick() implements Input {}
}
