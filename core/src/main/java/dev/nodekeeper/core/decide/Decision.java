package dev.nodekeeper.core.decide;

import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord.Draft;
import dev.nodekeeper.core.model.Stored.Unreadable;
import dev.nodekeeper.core.model.Version;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What to do about one view of a node. */
public sealed interface Decision {

  /** In step, or none of our business. A tombstone with this decision is settled. */
  record Nothing(Why why) implements Decision {}

  /** The record cannot be used: nothing is applied, nothing is overwritten. */
  record Inert(Unreadable record) implements Decision {}

  /**
   * The node was marked with a version that the cached record does not know: look at the real one.
   */
  record ReadRecord() implements Decision {}

  /** Store a new version of the record. */
  record Write(Cause cause, Draft draft, Set<Key> trimmed) implements Decision {}

  /**
   * Patch the node.
   *
   * @param changes keys to set, or (empty) to remove
   * @param target the content that the node has then, as far as it is ours
   * @param withheld keys of the record that are left out on purpose
   * @param version the version of the record that the marker names
   * @param inDoubt something is withheld because it may be another machine
   */
  record Restore(
      Map<Key, Optional<String>> changes,
      Content target,
      Set<Key> withheld,
      Version version,
      boolean inDoubt)
      implements Decision {}

  /** Why nothing is to be done. */
  enum Why {
    NOTHING_TO_KEEP,
    OLDER_THAN_RECORD,
    IN_STEP,
    TERMINATING,
    NOTHING_TOUCHED
  }

  /** What a new version of the record comes from. */
  enum Cause {
    CREATE,
    HAND_EDIT,
    CAPTURE,
    ADOPT,
    MERGE,
    LATE_MERGE
  }
}
