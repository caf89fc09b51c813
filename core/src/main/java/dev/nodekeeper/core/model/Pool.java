package dev.nodekeeper.core.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One instance of what many nodes have in common: 100,000 nodes share a few dozen keys and a few
 * hundred values. The same for everybody, because it changes nothing but memory; it forgets,
 * because anybody may invent keys.
 */
public final class Pool {
  private static final int SIZE = 1 << 15;

  /** What was asked for at least twice: what only one node has must not drive it out. */
  private static final Object[] KNOWN = new Object[SIZE];

  private static final Object[] NEW = new Object[SIZE];

  private Pool() {}

  /** The other instance where the two are equal. */
  public static <T extends @Nullable Object> T shared(T mine, T theirs) {
    return Objects.equals(mine, theirs) ? theirs : mine;
  }

  /** An equal value, perhaps another instance. NB: immutable values only, any thread asks. */
  @SuppressWarnings("unchecked") // what is equal is of the same class
  public static <T> T one(T value) {
    int hash = value.hashCode();
    int index = (hash ^ (hash >>> 15)) & (SIZE - 1);
    Object known = KNOWN[index];
    if (value.equals(known)) {
      return (T) known;
    }
    Object recent = NEW[index];
    if (value.equals(recent)) {
      KNOWN[index] = recent;
      return (T) recent;
    }
    NEW[index] = value;
    return value;
  }
}
