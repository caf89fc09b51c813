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
  public static final Content EMPTY = new Content(List.of(), new String[0]);

  private final List<Key> keys;
  private final String[] values;

  private Content(List<Key> keys, String[] values) {
    this.keys = keys;
    this.values = values;
  }

  public static Content of(SortedMap<Key, String> map) {
    if (map.isEmpty()) {
      return EMPTY;
    }
    Key[] keys = new Key[map.size()];
    String[] values = new String[keys.length];
    int i = 0;
    for (Map.Entry<Key, String> entry : map.entrySet()) {
      keys[i] = Pool.one(entry.getKey());
      values[i++] = Pool.one(entry.getValue());
    }
    return new Content(Pool.one(List.of(keys)), values);
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

  /** The same, in the other's memory as far as they agree. */
  public Content like(Content other) {
    if (equals(other)) {
      return other;
    }
    String[] shared = values.clone();
    boolean news = false;
    for (int i = 0; i < shared.length; i++) {
      String theirs = other.get(keys.get(i));
      if (theirs != null && theirs != shared[i] && theirs.equals(shared[i])) {
        shared[i] = theirs;
        news = true;
      }
    }
    return news ? new Content(keys, shared) : this;
  }

  public @Nullable String get(Key key) {
    int i = Collections.binarySearch(keys, key);
    return i < 0 ? null : values[i];
  }

  /** Of the key at that place. */
  public String value(int index) {
    return values[index];
  }

  public boolean isEmpty() {
    return keys.isEmpty();
  }

  public int size() {
    return keys.size();
  }

  public List<Key> keys() {
    return keys;
  }

  public SortedMap<Key, String> toMap() {
    SortedMap<Key, String> map = new TreeMap<>();
    for (int i = 0; i < keys.size(); i++) {
      map.put(keys.get(i), values[i]);
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
    if (keys.equals(other.keys)) {
      for (int i = 0; i < values.length; i++) {
        if (!values[i].equals(other.values[i])) {
          found.add(keys.get(i));
        }
      }
      return found;
    }
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
    for (int i = 0; i < keys.size(); i++) {
      if (keys.get(i).kind() == kind) {
        map.put(keys.get(i).name(), values[i]);
      }
    }
    return map;
  }

  public List<Taint> taints() {
    List<Taint> found = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      if (keys.get(i).kind() == Kind.TAINT) {
        found.add(new Taint(keys.get(i).name(), values[i], keys.get(i).effect(), null));
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
        || (o instanceof Content c && keys.equals(c.keys) && Arrays.equals(values, c.values));
  }

  @Override
  public int hashCode() {
    return 31 * keys.hashCode() + Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return toMap().toString();
  }

  /** Takes entries in the order of their keys, into the memory of what is likely to be the same. */
  public static final class Builder {
    private final Content likely;
    private final List<Key> keys = new ArrayList<>();
    private final List<String> values = new ArrayList<>();

    /** Where the likely one is not before what was added last. */
    private int place;

    public Builder(Content likely) {
      this.likely = likely;
    }

    /** False where it does not come after the one before. */
    public boolean add(Key key, String value) {
      if (!keys.isEmpty() && keys.getLast().compareTo(key) >= 0) {
        return false;
      }
      while (place < likely.size() && likely.keys.get(place).compareTo(key) < 0) {
        place++;
      }
      if (place < likely.size() && likely.keys.get(place).equals(key)) {
        keys.add(likely.keys.get(place));
        values.add(Pool.shared(value, likely.values[place]));
      } else {
        keys.add(Pool.one(key));
        values.add(Pool.one(value));
      }
      return true;
    }

    public Content build() {
      if (keys.isEmpty()) {
        return EMPTY;
      }
      List<Key> packed = keys.equals(likely.keys) ? likely.keys : Pool.one(List.copyOf(keys));
      Content content = new Content(packed, values.toArray(String[]::new));
      return content.equals(likely) ? likely : content;
    }
  }
}
