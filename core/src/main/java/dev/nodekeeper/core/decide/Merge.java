package dev.nodekeeper.core.decide;

import dev.nodekeeper.core.decide.Decision.Cause;
import dev.nodekeeper.core.decide.Decision.Nothing;
import dev.nodekeeper.core.decide.Decision.Restore;
import dev.nodekeeper.core.decide.Decision.Why;
import dev.nodekeeper.core.decide.Decision.Write;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeRecord.Draft;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Version;
import dev.nodekeeper.core.policy.Policy.OnConflict;
import dev.nodekeeper.core.policy.Rules;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The three-way merges: record and node, with what the person started from as the base. */
final class Merge {
  /** Room for marker and withheld list beside what people write. */
  private static final int OUR_ANNOTATION_BYTES = 20_000;

  private Merge() {}

  /** Record -> node, for an incarnation that the record does not know. */
  static Decision restore(Comparison c) {
    SortedMap<Key, Optional<String>> changes = new TreeMap<>();
    Set<Key> withheld = new TreeSet<>();
    Content record = c.record().content();
    Set<Key> keys = new TreeSet<>(record.keys());
    if (c.base() != null) {
      keys.addAll(c.base().content().keys());
    }
    for (Key key : keys) {
      String want = record.get(key);
      String have = c.node().content().get(key);
      if (want != null && c.withholds(key, want)) {
        if (have == null && !c.touched(key)) {
          withheld.add(key);
        }
      } else if (c.policy().keeps(key) && !c.touched(key) && !stands(c, key, have)) {
        if (!Objects.equals(have, want)) {
          changes.put(key, Optional.ofNullable(want));
        }
      }
    }
    Set<Key> remembered = new TreeSet<>(c.policy().keeps(record).keys());
    remembered.removeIf(key -> withheld.contains(key) && !c.doubtful(key));
    // No trace on a node when neither side has anything of ours.
    return remembered.isEmpty() && changes.isEmpty() && c.node().content().isEmpty()
        ? new Nothing(Why.NOTHING_TO_KEEP)
        : plan(c, changes, withheld);
  }

  /** A key that is already on the returning node, and that no version of ours explains. */
  private static boolean stands(Comparison c, Key key, @Nullable String have) {
    boolean recordWins = key.kind() == Kind.TAINT || c.policy().onConflict() == OnConflict.RECORD;
    return c.base() == null && have != null && !recordWins;
  }

  /** Keys that a known node was denied, and is not any more. */
  static Decision giveBack(Comparison c, Set<Key> owed) {
    SortedMap<Key, Optional<String>> changes = new TreeMap<>();
    owed.forEach(key -> changes.put(key, Optional.ofNullable(c.record().content().get(key))));
    Set<Key> withheld = new TreeSet<>(c.held());
    withheld.removeAll(owed);
    return plan(c, changes, withheld);
  }

  private static Decision plan(
      Comparison c, SortedMap<Key, Optional<String>> changes, Set<Key> withheld) {
    dropAnnotationsBeyondTheLimit(c.node(), changes, withheld);
    SortedMap<Key, String> target = c.node().content().toMap();
    changes.forEach(
        (key, value) -> value.ifPresentOrElse(v -> target.put(key, v), () -> target.remove(key)));
    Version version = Objects.requireNonNull(c.record().current());
    return new Restore(
        changes, Content.of(target), withheld, version, withheld.stream().anyMatch(c::doubtful));
  }

  /** The API refuses the whole patch when all annotations of a node exceed 256 KiB. */
  private static void dropAnnotationsBeyondTheLimit(
      NodeState node, SortedMap<Key, Optional<String>> changes, Set<Key> withheld) {
    while (true) {
      long total = (long) node.annotationBytes() + OUR_ANNOTATION_BYTES;
      Key largest = null;
      long most = 0;
      for (Map.Entry<Key, Optional<String>> change : changes.entrySet()) {
        if (change.getKey().kind() == Kind.ANNOTATION && change.getValue().isPresent()) {
          long size = bytes(change.getKey().name()) + bytes(change.getValue().get());
          total += size;
          if (size > most) {
            most = size;
            largest = change.getKey();
          }
        }
      }
      if (largest == null || total <= Rules.ANNOTATIONS_MAX_BYTES) {
        return;
      }
      changes.remove(largest);
      withheld.add(largest);
    }
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** The last state of an incarnation that the record does not know -> record. */
  static Decision tombstone(Comparison c) {
    NodeState node = c.node();
    NodeRecord record = c.record();
    boolean late = node.rv() <= record.rv();
    SortedMap<Key, String> content = record.content().toMap();
    Map<Key, Long> touched = new TreeMap<>();
    for (Key key : c.keys()) {
      // Where the record changed since, it is the newer word.
      if (c.touched(key) && !c.recordMoved(key)) {
        touched.put(key, c.touchedAt(key));
        String value = node.content().get(key);
        if (value == null) {
          content.remove(key);
        } else {
          content.put(key, value);
        }
      }
    }
    Size.Fitted fitted = Size.fit(Content.of(content));
    if (fitted.content().equals(record.content())) {
      return new Nothing(Why.NOTHING_TOUCHED);
    }
    Identity identity =
        record.identity().equals(Identity.NONE) ? node.identity() : record.identity();
    // Bound to nobody: this content was never on that node, and a living one is looked at again.
    Draft draft =
        new Draft(
            fitted.content(), "", late ? record.rv() : node.rv(), identity, Set.of(), touched);
    return new Write(late ? Cause.LATE_MERGE : Cause.MERGE, draft, fitted.dropped());
  }
}
