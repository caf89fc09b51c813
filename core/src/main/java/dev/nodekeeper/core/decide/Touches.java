package dev.nodekeeper.core.decide;

import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Pool;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keys that changed, with the rv of the last change: an immutable sorted map, packed because there
 * are 100,000, and because a restore touches all keys of a node at once.
 */
public final class Touches {
  public static final Touches NONE = new Touches(List.of(), 0, null);

  private final List<Key> keys;

  /** The newest, which is that of all where they do not differ. */
  private final long newest;

  private final long @Nullable [] rvs;

  private Touches(List<Key> keys, long newest, long @Nullable [] rvs) {
    this.keys = keys;
    this.newest = newest;
    this.rvs = rvs;
  }

  static Touches of(SortedMap<Key, Long> map) {
    if (map.isEmpty()) {
      return NONE;
    }
    List<Key> keys = Pool.one(map.keySet().stream().map(Pool::one).toList());
    long[] rvs = map.values().stream().mapToLong(rv -> rv).toArray();
    long newest = Arrays.stream(rvs).max().getAsLong();
    boolean same = Arrays.stream(rvs).allMatch(rv -> rv == newest);
    return new Touches(keys, newest, same ? null : rvs);
  }

  boolean contains(Key key) {
    return Collections.binarySearch(keys, key) >= 0;
  }

  long at(Key key, long otherwise) {
    int i = Collections.binarySearch(keys, key);
    return i < 0 ? otherwise : rv(i);
  }

  private long rv(int i) {
    return rvs == null ? newest : rvs[i];
  }

  boolean noneAfter(long rv) {
    return keys.isEmpty() || newest <= rv;
  }

  List<Key> keys() {
    return keys;
  }

  SortedMap<Key, Long> toMap() {
    SortedMap<Key, Long> map = new TreeMap<>();
    for (int i = 0; i < keys.size(); i++) {
      map.put(keys.get(i), rv(i));
    }
    return map;
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o == this
        || (o instanceof Touches t
            && keys.equals(t.keys)
            && newest == t.newest
            && Arrays.equals(rvs, t.rvs));
  }

  @Override
  public int hashCode() {
    return 31 * (31 * keys.hashCode() + Long.hashCode(newest)) + Arrays.hashCode(rvs);
  }

  @Override
  public String toString() {
    return toMap().toString();
  }
}
