package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.decide.Decision;
import dev.nodekeeper.core.decide.Knowledge;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeState;
import java.util.EnumMap;
import java.util.Map;

/** What happened to our own nodes since the start, in numbers. */
final class Tally {
  private final long[] decisions = new long[Verdict.values().length];
  private final long[][] changes = new long[NodeClass.values().length][Kind.values().length];

  void decided(Decision decision) {
    decisions[Verdict.of(decision).ordinal()]++;
  }

  /** By anybody but us: what comes with a marker is our own restore. */
  void changed(NodeState before, NodeState now) {
    if (before.content().equals(now.content()) || Knowledge.marks(before, now)) {
      return;
    }
    long[] ofClass = changes[NodeClass.of(now.content()).ordinal()];
    for (Key key : before.content().changed(now.content())) {
      ofClass[key.kind().ordinal()]++;
    }
  }

  Map<Verdict, Long> decisions() {
    Map<Verdict, Long> copy = new EnumMap<>(Verdict.class);
    for (Verdict verdict : Verdict.values()) {
      copy.put(verdict, decisions[verdict.ordinal()]);
    }
    return copy;
  }

  Map<NodeClass, Map<Kind, Long>> changes() {
    Map<NodeClass, Map<Kind, Long>> copy = new EnumMap<>(NodeClass.class);
    for (NodeClass each : NodeClass.values()) {
      Map<Kind, Long> kinds = new EnumMap<>(Kind.class);
      for (Kind kind : Kind.values()) {
        kinds.put(kind, changes[each.ordinal()][kind.ordinal()]);
      }
      copy.put(each, kinds);
    }
    return copy;
  }
}
