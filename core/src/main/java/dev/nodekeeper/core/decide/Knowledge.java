package dev.nodekeeper.core.decide;

import dev.nodekeeper.core.codec.Marker;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Version;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What this replica has seen of one incarnation.
 *
 * @param registered we saw it being created, so that {@code first} is the state at registration
 * @param proven the newest epoch whose marker was valid: a marker that is stripped or forged later
 *     does not undo it
 * @param fresh the epoch of the newest marker, while it is not proven
 * @param swept taints of our restore that went away in one write that changed another taint: a
 *     {@code kubectl taint} that had not seen them, and no wish of a person
 * @param sweptOnce happened before: the second time it is a wish
 */
public record Knowledge(
    boolean registered,
    Epoch first,
    @Nullable Epoch proven,
    @Nullable Epoch fresh,
    Set<Key> swept,
    boolean sweptOnce) {

  /** Created before our eyes. */
  public static Knowledge registration(NodeState node) {
    return begin(node, true);
  }

  /** Found in a list, or under a new uid without its creation: what happened before is unknown. */
  public static Knowledge found(NodeState node) {
    return begin(node, false);
  }

  private static Knowledge begin(NodeState node, boolean registered) {
    Epoch fresh = node.life().isMarked() ? Epoch.marked(node, Touches.NONE, Set.of()) : null;
    return new Knowledge(registered, Epoch.firstSight(node), null, fresh, Set.of(), false);
  }

  /** The next observation of the same incarnation. */
  public Knowledge see(NodeState before, NodeState now) {
    return see(before, now, Set.of());
  }

  /** The same, shortly after our restore: a blind write may have swept away what we restored. */
  public Knowledge seeAfterRestore(NodeState before, NodeState now) {
    return see(before, now, sweep(before, now));
  }

  /** Whether {@code now} brings another marker than {@code before}, of the same incarnation. */
  public static boolean marks(NodeState before, NodeState now) {
    return now.life().isMarked() && !now.life().equals(before.life());
  }

  private Knowledge see(NodeState before, NodeState now, Set<Key> sweep) {
    SortedSet<Key> changed = before.content().changed(now.content());
    boolean marked = marks(before, now);
    if (changed.isEmpty() && sweep.isEmpty() && !marked) {
      return this;
    }
    SortedSet<Key> touches = new TreeSet<>(changed);
    touches.removeAll(sweep);
    Set<Key> still = new TreeSet<>(swept);
    still.removeAll(changed);
    still.addAll(sweep);
    return new Knowledge(
        registered,
        first.touch(changed, now.rv()),
        proven == null ? null : proven.touch(touches, now.rv()),
        marked
            ? Epoch.marked(now, touchedBefore(changed, before, now), changed)
            : fresh == null ? null : fresh.touch(touches, now.rv()),
        still.isEmpty() ? Set.of() : still,
        sweptOnce || !sweep.isEmpty());
  }

  /**
   * What people did before a marker. The first restore of a life only adds, and none takes away
   * what was touched: what is gone with it, in a list that shows several writes as one, a person
   * took.
   */
  private Touches touchedBefore(Set<Key> changed, NodeState before, NodeState now) {
    Epoch known = proven == null ? first : proven;
    boolean firstMarker = proven == null && fresh == null && !before.life().isMarked();
    SortedSet<Key> gone = new TreeSet<>(changed);
    gone.removeIf(
        key -> now.content().get(key) != null || !(firstMarker || known.touched().contains(key)));
    return known.touch(gone, now.rv()).touched();
  }

  private Set<Key> sweep(NodeState before, NodeState now) {
    if (proven == null || sweptOnce || !proven.quietSince() || marks(before, now)) {
      return Set.of();
    }
    Set<Key> ours = new TreeSet<>();
    for (Key key : proven.base().keys()) {
      if (key.kind() == Kind.TAINT && first.base().get(key) == null) {
        ours.add(key);
      }
    }
    boolean allGone =
        ours.stream()
            .allMatch(key -> before.content().get(key) != null && now.content().get(key) == null);
    boolean anotherChanged =
        now.taints().stream()
            .anyMatch(taint -> !before.taints().contains(taint) && !ours.contains(taint.id()));
    return allGone && anotherChanged ? ours : Set.of();
  }

  /** Moves a marker that the record vouches for from fresh to proven. */
  public Knowledge confirm(NodeRecord record, String uid) {
    if (fresh == null) {
      return this;
    }
    Version version = Marker.check(record, uid, fresh.marker(), fresh.withheld());
    if (version == null) {
      return this;
    }
    // A replayed older marker is valid too; it must not hide what was touched since the newer one.
    // But a newer one counts only under this record: another may have been made since.
    Version before =
        proven == null ? null : Marker.check(record, uid, proven.marker(), proven.withheld());
    boolean replayed = before != null && version.generation() < before.generation();
    Epoch newest = replayed ? proven : fresh;
    return new Knowledge(registered, first, newest, null, swept, sweptOnce);
  }
}
