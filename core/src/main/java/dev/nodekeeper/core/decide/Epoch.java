package dev.nodekeeper.core.decide;

import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeState;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What people did to an incarnation since a moment: its first sight, or the arrival of a marker.
 *
 * @param marker the marker that opened it, or that was there at the first sight
 * @param base the content at that moment
 * @param touched keys that changed since, with the rv of the last change: they are the person's,
 *     even when they are back at their earlier value
 */
public record Epoch(
    @Nullable String marker,
    @Nullable String withheld,
    long since,
    Content base,
    Map<Key, Long> touched) {

  static Epoch firstSight(NodeState node) {
    return new Epoch(node.marker(), null, node.rv(), node.content(), Map.of());
  }

  /** What was touched before the marker stays touched; what is new with it is our restore. */
  static Epoch marked(NodeState node, Map<Key, Long> touchedBefore, Set<Key> changedNow) {
    Map<Key, Long> touched = new TreeMap<>(touchedBefore);
    touched.keySet().removeIf(key -> changedNow.contains(key) && node.content().get(key) != null);
    return new Epoch(node.marker(), node.withheld(), node.rv(), node.content(), touched);
  }

  boolean quietSince() {
    return touched.values().stream().allMatch(rv -> rv <= since);
  }

  Epoch touch(SortedSet<Key> keys, long rv) {
    if (keys.isEmpty()) {
      return this;
    }
    Map<Key, Long> more = new TreeMap<>(touched);
    keys.forEach(key -> more.put(key, rv));
    return new Epoch(marker, withheld, since, base, more);
  }
}
