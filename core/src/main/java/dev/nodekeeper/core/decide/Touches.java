package dev.nodekeeper.core.decide;

import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Pool;
import dev.nodekeeper.core.model.Varint;
import java.nio.ByteBuffer;
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

  /**
   * Where they differ: how many keys in a row have the same, and how much older than the newest it
   * is, as numbers of seven bits a byte. A person's edit after our restore takes 10 bytes so.
   */
  private final byte @Nullable [] runs;

  private Touches(List<Key> keys, long newest, byte @Nullable [] runs) {
    this.keys = keys;
    this.newest = newest;
    this.runs = runs;
  }

  static Touches of(SortedMap<Key, Long> map) {
    if (map.isEmpty()) {
      return NONE;
    }
    List<Key> keys = Pool.one(map.keySet().stream().map(Pool::one).toList());
    long[] rvs = map.values().stream().mapToLong(rv -> rv).toArray();
    long newest = Arrays.stream(rvs).max().getAsLong();
    boolean same = Arrays.stream(rvs).allMatch(rv -> rv == newest);
    return new Touches(keys, newest, same ? null : runs(rvs, newest));
  }

  private static byte[] runs(long[] rvs, long newest) {
    ByteBuffer out = ByteBuffer.allocate(rvs.length * 2 * Varint.MOST);
    for (int i = 0, end; i < rvs.length; i = end) {
      end = i + 1;
      while (end < rvs.length && rvs[end] == rvs[i]) {
        end++;
      }
      Varint.put(out, end - i);
      Varint.put(out, newest - rvs[i]);
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  boolean contains(Key key) {
    return Collections.binarySearch(keys, key) >= 0;
  }

  long at(Key key, long otherwise) {
    int i = Collections.binarySearch(keys, key);
    return i < 0 ? otherwise : rv(i);
  }

  private long rv(int i) {
    if (runs == null) {
      return newest;
    }
    ByteBuffer in = ByteBuffer.wrap(runs);
    long end = Varint.get(in);
    long older = Varint.get(in);
    while (end <= i) {
      end += Varint.get(in);
      older = Varint.get(in);
    }
    return newest - older;
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
            && Arrays.equals(runs, t.runs));
  }

  @Override
  public int hashCode() {
    return 31 * (31 * keys.hashCode() + Long.hashCode(newest)) + Arrays.hashCode(runs);
  }

  @Override
  public String toString() {
    return toMap().toString();
  }
}
