package dev.nodekeeper.core.model;

import dev.nodekeeper.core.model.NodeRecord.Draft;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How new a record's word on each key is, as a revision of the node (or of the hand edit) that it
 * came from: of two words the newer wins, whoever writes last.
 *
 * @param first of keys that are there since the first version
 * @param gone of keys that are not there: anything older than this
 * @param keys of the others
 */
public record Words(long first, long gone, Map<Key, Long> keys) {
  /** Older than everything: nothing is known of the order. */
  public static final Words NONE = new Words(0, 0, Map.of());

  private static final int GONE_KEYS_KEPT = 32;

  long on(Key key, boolean present) {
    return keys.getOrDefault(key, present ? first : gone);
  }

  /**
   * @param before null before the first version
   */
  Words after(@Nullable Content before, Draft draft) {
    Map<Key, Long> next = new TreeMap<>(keys);
    if (before != null) {
      before.changed(draft.content()).forEach(key -> next.put(key, draft.rv()));
    }
    next.putAll(draft.touched());
    List<Key> absent = new ArrayList<>(next.keySet());
    absent.removeIf(key -> draft.content().get(key) != null);
    absent.sort(Comparator.comparing(next::get).reversed());
    long older = gone;
    for (Key key : absent.subList(Math.min(GONE_KEYS_KEPT, absent.size()), absent.size())) {
      older = Math.max(older, Objects.requireNonNull(next.remove(key)));
    }
    return new Words(before == null ? draft.rv() : first, older, Map.copyOf(next));
  }
}
