package dev.nodekeeper.core.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What is on a node or in a record: an immutable sorted map, packed because there are 100,000. */
public final class Content {
  public static final Content EMPTY = new Content(new Key[0], new String[0]);

  private final Key[] keys;
  private final String[] values;

  private Content(Key[] keys, String[] values) {
    this.keys = keys;
    this.values = values;
  }

  public static Content of(SortedMap<Key, String> map) {
    return map.isEmpty()
        ? EMPTY
        : new Content(map.keySet().toArray(Key[]::new), map.values().toArray(String[]::new));
  }

  public static Content of(Map<String, String> labels, List<Taint> taints) {
    return of(labels, taints, Map.of(), /* unschedulable= */ false);
  }

  public static Content of(
      Map<String, String> labels,
      List<Taint> taints,
      Map<String, String> annotations,
      boolean unschedulable) {
    SortedMap<Key, String> map = new TreeMap<>();
    labels.forEach((k, v) -> map.put(Key.label(k), v));
    taints.forEach(t -> map.putIfAbsent(t.id(), t.value()));
    annotations.forEach((k, v) -> map.put(Key.annotation(k), v));
    if (unschedulable) {
      map.put(Key.CORDON, "true");
    }
    return of(map);
  }

  public @Nullable String get(Key key) {
    int i = Arrays.binarySearch(keys, key);
    return i < 0 ? null : values[i];
  }

  public boolean isEmpty() {
    return keys.length == 0;
  }

  public int size() {
    return keys.length;
  }

  public List<Key> keys() {
    return Collections.unmodifiableList(Arrays.asList(keys));
  }

  public SortedMap<Key, String> toMap() {
    SortedMap<Key, String> map = new TreeMap<>();
    for (int i = 0; i < keys.length; i++) {
      map.put(keys[i], values[i]);
    }
    return map;
  }

  public Content filter(Predicate<Key> wanted) {
    SortedMap<Key, String> map = toMap();
    return map.keySet().removeIf(wanted.negate()) ? of(map) : this;
  }

  /** The keys whose value differs, present on one side only included. */
  public SortedSet<Key> changed(Content other) {
    SortedSet<Key> found = new TreeSet<>();
    for (Key key : keys) {
      if (!Objects.equals(get(key), other.get(key))) {
        found.add(key);
      }
    }
    for (Key key : other.keys) {
      if (get(key) == null) {
        found.add(key);
      }
    }
    return found;
  }

  /** Labels or annotations by name. */
  public SortedMap<String, String> named(Kind kind) {
    SortedMap<String, String> map = new TreeMap<>();
    for (int i = 0; i < keys.length; i++) {
      if (keys[i].kind() == kind) {
        map.put(keys[i].name(), values[i]);
      }
    }
    return map;
  }

  public List<Taint> taints() {
    List<Taint> found = new ArrayList<>();
    for (int i = 0; i < keys.length; i++) {
      if (keys[i].kind() == Kind.TAINT) {
        found.add(new Taint(keys[i].name(), values[i], keys[i].effect(), null));
      }
    }
    return found;
  }

  /** Keeps pods off the node: until it is restored, they come. */
  public boolean repels() {
    return unschedulable()
        || taints().stream().anyMatch(taint -> !taint.effect().equals("PreferNoSchedule"));
  }

  public boolean unschedulable() {
    return get(Key.CORDON) != null;
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o == this
        || (o instanceof Content c
            && Arrays.equals(keys, c.keys)
            && Arrays.equals(values, c.values));
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(keys) + Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return toMap().toString();
  }
}
