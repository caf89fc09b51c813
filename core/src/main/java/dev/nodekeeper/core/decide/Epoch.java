package dev.nodekeeper.core.decide;

import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Life;
import dev.nodekeeper.core.model.NodeState;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * What people did to an incarnation since a moment: its first sight, or the arrival of a marker.
 *
 * @param marked the life with the marker that opened it, or that was there at the first sight
 * @param base the content at that moment
 * @param touched keys that changed since, with the rv of the last change: they are the person's,
 *     even when they are back at their earlier value
 */
public record Epoch(@Nullable Life marked, long since, Content base, Touches touched) {

  static Epoch firstSight(NodeState node) {
    return new Epoch(
        node.life().isMarked() ? node.life() : null, node.rv(), node.content(), Touches.NONE);
  }

  /** What was touched before the marker stays touched; what is new with it is our restore. */
  static Epoch marked(NodeState node, Touches touchedBefore, Set<Key> changedNow) {
    SortedMap<Key, Long> touched = touchedBefore.toMap();
    touched.keySet().removeIf(key -> changedNow.contains(key) && node.content().get(key) != null);
    return new Epoch(node.life(), node.rv(), node.content(), Touches.of(touched));
  }

  @Nullable String marker() {
    return marked == null ? null : marked.marker();
  }

  @Nullable String withheld() {
    return marked == null ? null : marked.withheld();
  }

  boolean quietSince() {
    return touched.noneAfter(since);
  }

  Epoch touch(SortedSet<Key> keys, long rv) {
    if (keys.isEmpty()) {
      return this;
    }
    SortedMap<Key, Long> more = touched.toMap();
    keys.forEach(key -> more.put(key, rv));
    return new Epoch(marked, since, base, Touches.of(more));
  }
}
