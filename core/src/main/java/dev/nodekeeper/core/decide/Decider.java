package dev.nodekeeper.core.decide;

import dev.nodekeeper.core.decide.Decision.Cause;
import dev.nodekeeper.core.decide.Decision.Inert;
import dev.nodekeeper.core.decide.Decision.Nothing;
import dev.nodekeeper.core.decide.Decision.ReadRecord;
import dev.nodekeeper.core.decide.Decision.Restore;
import dev.nodekeeper.core.decide.Decision.Why;
import dev.nodekeeper.core.decide.Decision.Write;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeRecord.Draft;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Unreadable;
import dev.nodekeeper.core.policy.Policy;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The decision table: the first row that fits. */
public final class Decider {
  private Decider() {}

  public static Decision decide(NodeView view, Optional<? extends Stored> stored, Policy policy) {
    if (stored.isEmpty()) {
      return view.state().content().isEmpty() ? new Nothing(Why.NOTHING_TO_KEEP) : create(view);
    }
    return switch (stored.get()) {
      case Unreadable unreadable -> new Inert(unreadable);
      case NodeRecord record -> decide(view, record, policy);
    };
  }

  private static Decision decide(NodeView view, NodeRecord record, Policy policy) {
    if (record.edited()) {
      return handEdit(record);
    }
    NodeState node = view.state();
    Comparison c = new Comparison(view, record, policy);
    if (!c.knownByUid() && c.markedAboveRecord() && !view.liveRead()) {
      return new ReadRecord();
    }
    // The guard against a replica with an older cache: it may not undo a newer capture.
    if (c.knownByUid() && !c.newerThanRecord()) {
      return new Nothing(Why.OLDER_THAN_RECORD);
    }
    if (c.known()) {
      return known(view, c);
    }
    if (view.deleted()) {
      return Merge.tombstone(c);
    }
    if (node.terminating()) {
      return new Nothing(Why.TERMINATING);
    }
    return Merge.restore(c);
  }

  private static Decision known(NodeView view, Comparison c) {
    NodeState node = view.state();
    if (!view.deleted() && !node.terminating() && !c.owed().isEmpty()) {
      return Merge.giveBack(c, c.owed());
    }
    Size.Fitted captured = Size.fit(c.captured());
    if (!captured.content().equals(c.record().content())) {
      return new Write(Cause.CAPTURE, draft(c, captured), captured.dropped());
    }
    // Known only by a marker that somebody took away since: bind the record to the uid instead.
    if (!view.deleted() && (lostItsMarker(c) || c.identityNews())) {
      return new Write(Cause.ADOPT, draft(c, captured), Set.of());
    }
    return new Nothing(Why.IN_STEP);
  }

  private static boolean lostItsMarker(Comparison c) {
    return !c.knownByUid() && !c.markerInPlace();
  }

  /**
   * For one who may not write records: the marker again where a known node lost it, so that those
   * who may, and have not seen it, know the node.
   */
  public static Optional<Restore> markAgain(NodeView view, NodeRecord record, Policy policy) {
    Comparison c = new Comparison(view, record, policy);
    return c.known() && lostItsMarker(c) && Merge.giveBack(c, Set.of()) instanceof Restore restore
        ? Optional.of(restore)
        : Optional.empty();
  }

  private static Draft draft(Comparison c, Size.Fitted captured) {
    NodeState node = c.node();
    return new Draft(
        captured.content(), node.uid(), node.rv(), c.identity(), c.held(), c.newerWords());
  }

  /** What people took away again is a word too: an earlier life must not bring it back. */
  private static Decision create(NodeView view) {
    NodeState node = view.state();
    Size.Fitted fitted = Size.fit(node.content());
    Map<Key, Long> gone = view.knowledge().first().touched().toMap();
    gone.keySet().removeIf(key -> node.content().get(key) != null);
    return new Write(
        Cause.CREATE,
        new Draft(fitted.content(), node.uid(), node.rv(), node.identity(), Set.of(), gone),
        fitted.dropped());
  }

  /**
   * What a person wrote into a record becomes a version bound to no incarnation, so that a living
   * node is looked at again. It is as new as the edit: older tombstones must not undo it.
   */
  public static Write handEdit(NodeRecord record) {
    Size.Fitted fitted = Size.fit(record.content());
    return new Write(
        Cause.HAND_EDIT,
        new Draft(fitted.content(), "", record.origin().rv(), record.identity(), Set.of()),
        fitted.dropped());
  }
}
