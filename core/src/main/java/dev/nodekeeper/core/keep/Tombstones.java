package dev.nodekeeper.core.keep;

import java.util.ArrayList;
import java.util.List;

/** The tombstones of one name, oldest life first. */
final class Tombstones {
  private final List<Tombstone> all = new ArrayList<>(0);

  /** What is older was forgotten with the record. */
  private long voidBelow;

  List<Tombstone> list() {
    return List.copyOf(all);
  }

  int size() {
    return all.size();
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** None has anything to say. */
  boolean quiet() {
    return all.stream().allMatch(Tombstone::quiet);
  }

  boolean has(String uid) {
    return all.stream().anyMatch(t -> t.uid().equals(uid));
  }

  void add(Tombstone tombstone) {
    if (tombstone.rv() >= voidBelow) {
      all.add(tombstone);
    }
  }

  void remove(Tombstone tombstone) {
    all.remove(tombstone);
  }

  /** How it looks now, which is how it is found from now on. */
  Tombstone mark(Tombstone tombstone, boolean quiet) {
    if (tombstone.quiet() == quiet) {
      return tombstone;
    }
    Tombstone marked = tombstone.quiet(quiet);
    all.set(all.indexOf(tombstone), marked);
    return marked;
  }

  void expire(long sinceBefore) {
    all.removeIf(t -> t.since() < sinceBefore);
  }

  void dropQuiet() {
    all.removeIf(Tombstone::quiet);
  }

  /** A record was deleted. */
  void voidBefore(long rv) {
    voidBelow = Math.max(voidBelow, rv);
    all.removeIf(t -> t.rv() < voidBelow);
  }

  void reset() {
    all.clear();
    voidBelow = 0;
  }
}
