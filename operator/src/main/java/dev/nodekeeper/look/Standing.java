package dev.nodekeeper.look;

import dev.nodekeeper.core.codec.Marker;
import dev.nodekeeper.core.decide.Decider;
import dev.nodekeeper.core.decide.Decision;
import dev.nodekeeper.core.decide.Knowledge;
import dev.nodekeeper.core.decide.NodeView;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.State;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.policy.Policy;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A node name: what is on its node, what is in its record, and what the core says about the two.
 *
 * @param onNode empty when there is no such node
 * @param inRecord empty when there is no record that can be read
 * @param withheld keys of the record that are left out of this node on purpose
 * @param capturedAt of the record, as it stands there; empty when it does not say
 * @param origin of the record's object; none where there is none
 * @param notes what is odd about the record
 */
public record Standing(
    String node,
    State state,
    String why,
    Optional<Content> onNode,
    Optional<Content> inRecord,
    SortedSet<Key> withheld,
    String capturedAt,
    Origin origin,
    List<String> notes) {

  /** At least one of the two must be there. */
  public static Standing of(
      String name, Optional<NodeState> node, Optional<Stored> stored, Policy policy) {
    Optional<Decision> decision = node.map(state -> decide(state, stored, policy));
    Optional<NodeRecord> record =
        stored.filter(NodeRecord.class::isInstance).map(NodeRecord.class::cast);
    SortedSet<Key> withheld = withheld(node, record, decision);
    return new Standing(
        name,
        decision.map(Explanation::state).orElseGet(() -> Explanation.stateAway(stored)),
        decision
            .map(made -> Explanation.why(made, withheld))
            .orElseGet(() -> Explanation.whyAway(stored)),
        node.map(NodeState::content),
        record.map(NodeRecord::content),
        withheld,
        record.map(NodeRecord::capturedAt).orElse(""),
        stored.map(Stored::origin).orElse(Origin.NONE),
        record.map(NodeRecord::notes).orElse(List.of()));
  }

  /** As a controller that has just started would: it saw nothing of how the node came to be. */
  private static Decision decide(NodeState node, Optional<Stored> stored, Policy policy) {
    NodeView view = NodeView.living(node, Knowledge.found(node)).afterLiveRead();
    return Decider.decide(view, stored, policy);
  }

  private static SortedSet<Key> withheld(
      Optional<NodeState> node, Optional<NodeRecord> record, Optional<Decision> decision) {
    SortedSet<Key> keys = new TreeSet<>();
    if (decision.isPresent() && decision.get() instanceof Decision.Restore restore) {
      keys.addAll(restore.withheld());
    } else if (node.isPresent() && record.isPresent()) {
      List<Key> remembered = record.get().content().keys();
      keys.addAll(Marker.keys(node.get().withheld(), remembered));
      if (record.get().uid().equals(node.get().uid())) {
        keys.addAll(record.get().withheld());
      }
      keys.retainAll(remembered);
      keys.removeIf(key -> node.get().content().get(key) != null);
    }
    return keys;
  }

  /** Since when the node is known to be away; empty where that is not known. */
  public String awaySince() {
    return origin.awaySince() == 0 ? "" : Instant.ofEpochMilli(origin.awaySince()).toString();
  }

  /** All keys that either side has. */
  public SortedSet<Key> keys() {
    SortedSet<Key> keys = new TreeSet<>(onNode.orElse(Content.EMPTY).keys());
    keys.addAll(inRecord.orElse(Content.EMPTY).keys());
    return keys;
  }

  /** How the two sides of one key compare, in few words; empty when they are the same. */
  public String remark(Key key) {
    if (onNode.isEmpty() || inRecord.isEmpty()) {
      return "";
    }
    String have = onNode.get().get(key);
    String want = inRecord.get().get(key);
    if (withheld.contains(key)) {
      return "withheld";
    }
    if (Objects.equals(have, want)) {
      return "";
    }
    return have == null ? "only in the record" : want == null ? "only on the node" : "differs";
  }
}
