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
  private static final Object[] TABLE = new Object[SIZE];

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
    Object known = TABLE[index];
    if (value.equals(known)) {
      return (T) known;
    }
    TABLE[index] = value;
    return value;
  }
}
