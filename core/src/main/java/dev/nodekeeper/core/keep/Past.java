package dev.nodekeeper.core.keep;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What is over of a name: lives, oldest first, and records. Most names have nothing of it. */
final class Past {
  private List<Tombstone> all = List.of();

  /** Since when we know that the node is not there; 0 while it is. */
  long absentSince;

  /**
   * The revision at which the record was deleted; a view that may be older may not bring it back.
   */
  long forgottenRv;

  /** Lives that are older were forgotten with the record. */
  private long voidBelow;

  List<Tombstone> tombstones() {
    return all;
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
      all = Stream.concat(all.stream(), Stream.of(tombstone)).toList();
    }
  }

  void remove(Tombstone tombstone) {
    drop(tombstone::equals);
  }

  /** How it looks now, which is how it is found from now on. */
  Tombstone mark(Tombstone tombstone, boolean quiet) {
    if (tombstone.quiet() == quiet) {
      return tombstone;
    }
    Tombstone marked = tombstone.quiet(quiet);
    all = all.stream().map(t -> t.equals(tombstone) ? marked : t).toList();
    return marked;
  }

  void expire(long sinceBefore) {
    drop(t -> t.since() < sinceBefore);
  }

  void dropQuiet() {
    drop(Tombstone::quiet);
  }

  /** A record was deleted. */
  void voidBefore(long rv) {
    voidBelow = Math.max(voidBelow, rv);
    drop(t -> t.rv() < voidBelow);
  }

  void dropAll() {
    all = List.of();
    voidBelow = 0;
  }

  /** Nothing in it says more than a new one would. */
  boolean over() {
    return all.isEmpty() && absentSince == 0 && forgottenRv == 0 && voidBelow == 0;
  }

  private void drop(Predicate<Tombstone> which) {
    if (all.stream().anyMatch(which)) {
      all = all.stream().filter(which.negate()).toList();
    }
  }
}
