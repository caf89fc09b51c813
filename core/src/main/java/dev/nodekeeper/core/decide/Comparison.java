package dev.nodekeeper.core.decide;

import dev.nodekeeper.core.codec.Marker;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Version;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.core.policy.Rules;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A view laid beside its record: who is known, what was touched, what is held back. */
final class Comparison {
  private final NodeView view;
  private final NodeState node;
  private final String uid;
  private final NodeRecord record;
  private final Policy policy;

  /** What happened since our last proven marker, or since the first sight. */
  private final Epoch epoch;

  /** The version that the last valid marker names. */
  private final @Nullable Version marked;

  /** What a three-way merge compares with; null when this incarnation has no version to show. */
  private final @Nullable Version base;

  private final Set<Key> held;

  /** A marker of this life was once proven to be ours. */
  private final boolean proven;

  /** It was there at the first sight: what was there with it may be our restore. */
  private final boolean foundRestored;

  Comparison(NodeView view, NodeRecord record, Policy policy) {
    this.view = view;
    this.node = view.state();
    this.uid = node.uid();
    this.record = record;
    this.policy = policy;
    Epoch restored = view.knowledge().confirm(record, uid).proven();
    this.proven = restored != null;
    this.marked =
        restored == null ? null : Marker.check(record, uid, restored.marker(), restored.withheld());
    this.epoch = restored == null ? view.knowledge().first() : restored;
    this.foundRestored = proven && epoch.since() == view.knowledge().first().since();
    this.base = known() ? null : newestVersionOfNode();
    this.held = listed();
    this.held.removeIf(key -> node.content().get(key) != null || epoch.touched().contains(key));
  }

  private @Nullable Version newestVersionOfNode() {
    return record
        .history()
        .filter(v -> v.equals(marked) || v.uid().equals(uid))
        .findFirst()
        .orElse(null);
  }

  /** What a restore left out, as its marker or the record tells, and what a blind write swept. */
  private Set<Key> listed() {
    Set<Key> listed = new TreeSet<>();
    if (proven) {
      // That its version is dropped since does not make the absence anybody's word.
      listed.addAll(Marker.keys(epoch.withheld(), record.content().keys()));
    }
    if (knownByUid()) {
      listed.addAll(record.withheld());
    }
    listed.addAll(view.knowledge().swept());
    return listed;
  }

  NodeState node() {
    return node;
  }

  NodeRecord record() {
    return record;
  }

  Policy policy() {
    return policy;
  }

  @Nullable Version base() {
    return base;
  }

  boolean knownByUid() {
    return record.uid().equals(uid);
  }

  /** At the very same revision: only on keys that the writer of the record did not keep. */
  boolean newerThanRecord() {
    return node.rv() == record.rv()
        ? record.content().changed(captured()).stream().allMatch(k -> record.wordOn(k) < node.rv())
        : node.rv() > record.rv();
  }

  boolean known() {
    return knownByUid() || (marked != null && marked.generation() == record.generation());
  }

  boolean markedAboveRecord() {
    return Marker.generation(node.marker()) > record.generation();
  }

  /** The marker that proves us is still on the node. */
  boolean markerInPlace() {
    return marked != null && Objects.equals(epoch.marker(), node.marker());
  }

  /** Keys of the record that this incarnation lacks because we held them back. */
  Set<Key> held() {
    Set<Key> inRecord = new TreeSet<>(held);
    inRecord.retainAll(record.content().keys());
    return inRecord;
  }

  /** Whether a person (anyone but us) changed the key during this incarnation. */
  boolean touched(Key key) {
    if (held.contains(key)) {
      return false;
    }
    String have = node.content().get(key);
    if (base != null) {
      boolean differs = !Objects.equals(have, base.content().get(key));
      return (differs && !stoodThere(key, base)) || ownWord(key) > record.wordOn(key);
    }
    if (epoch.touched().contains(key)) {
      return true;
    }
    if (view.knowledge().registered()) {
      return !Objects.equals(have, epoch.base().get(key));
    }
    // Unknown registration: what is there stands. But a kubelet may have registered with a weaker
    // value of its own quarantine taint, so a taint that the record knows is not a person's.
    return have != null
        && !foundRestored
        && have.equals(view.knowledge().first().base().get(key))
        && (key.kind() != Kind.TAINT || record.content().get(key) == null);
  }

  /** When this life spoke of the key by itself, not by our restore; 0 when it did not. */
  private long ownWord(Key key) {
    Epoch first = view.knowledge().first();
    String have = node.content().get(key);
    boolean captured = base != null && base.uid().equals(uid);
    boolean stood =
        first.marked() == null
            && !captured
            && key.kind() != Kind.TAINT
            && have != null
            && have.equals(first.base().get(key));
    return epoch.touched().at(key, stood ? first.since() : 0);
  }

  /** A taint that the kubelet registered with, restored from a version that did not know it. */
  private boolean stoodThere(Key key, Version base) {
    return key.kind() == Kind.TAINT
        && base.content().get(key) == null
        && record.content().get(key) != null
        && !epoch.touched().contains(key)
        && Objects.equals(node.content().get(key), view.knowledge().first().base().get(key));
  }

  /** When the touch happened, or at the latest: it was so when we first looked. */
  long touchedAt(Key key) {
    return epoch.touched().at(key, epoch.since());
  }

  /** What people said in this life that is newer than the record's word, even if it is the same. */
  Map<Key, Long> newerWords() {
    Map<Key, Long> newer = epoch.touched().toMap();
    node.content().keys().forEach(key -> newer.merge(key, ownWord(key), Math::max));
    newer.keySet().removeIf(key -> !policy.keeps(key) || held.contains(key));
    newer.entrySet().removeIf(word -> word.getValue() <= record.wordOn(word.getKey()));
    return newer;
  }

  /** Whether the record has a newer word on a key that was touched. */
  boolean recordMoved(Key key) {
    return heldByNewerVersion(key) || record.wordOn(key) >= touchedAt(key);
  }

  /** A later view of the same life is in the record, and its word on the key still stands. */
  private boolean heldByNewerVersion(Key key) {
    return base != null
        && base.uid().equals(uid)
        && node.rv() < base.rv()
        && Objects.equals(record.content().get(key), base.content().get(key));
  }

  /** Not for this process, or not legal, or not for this machine: why a key is held back. */
  boolean withholds(Key key, String value) {
    return !policy.keeps(key) || Policy.flaw(key, value) != null || doubtful(key);
  }

  boolean doubtful(Key key) {
    return key.kind() == Kind.LABEL && Rules.reserved(key.name()) && inDoubt();
  }

  private boolean inDoubt() {
    return policy.identity().doubts(record.identity(), node.identity());
  }

  /** Keys that were held back and need not be any more, or that a blind write swept away. */
  Set<Key> owed() {
    Set<Key> owed = held();
    owed.removeIf(
        key -> {
          String value = record.content().get(key);
          return value == null || node.content().get(key) != null || withholds(key, value);
        });
    return owed;
  }

  /** The record as this node says it should be: only keys of our own policy can change. */
  Content captured() {
    if (node.content().equals(record.content())) {
      return record.content();
    }
    SortedMap<Key, String> map = record.content().toMap();
    map.keySet()
        .removeIf(
            key -> {
              String value = Objects.requireNonNull(record.content().get(key));
              return node.content().get(key) == null
                  && !held.contains(key)
                  && policy.keeps(key)
                  && Policy.flaw(key, value) == null;
            });
    map.putAll(node.content().toMap());
    return Content.of(map);
  }

  /** Whose record it is afterwards: of the old machine for as long as something is kept for it. */
  Identity identity() {
    boolean keptForAnother = inDoubt() && held().stream().anyMatch(this::doubtful);
    return keptForAnother ? record.identity() : node.identity();
  }

  /** The machine behind a known node has said who it is, and the record does not know it yet. */
  boolean identityNews() {
    return policy.identity().of(record.identity()).isEmpty()
        && !policy.identity().of(node.identity()).isEmpty();
  }

  /** All keys that either side, or a change since, speaks of, within our policy. */
  Set<Key> keys() {
    Set<Key> keys = new TreeSet<>(node.content().keys());
    keys.addAll(record.content().keys());
    keys.addAll(epoch.touched().keys());
    if (base != null) {
      keys.addAll(base.content().keys());
    }
    keys.removeIf(key -> !policy.keeps(key));
    return keys;
  }
}
