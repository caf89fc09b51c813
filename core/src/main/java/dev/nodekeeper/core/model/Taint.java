package dev.nodekeeper.core.model;

import org.jspecify.annotations.Nullable;

/**
 * A taint as it stands on a node. The time is carried along because a patch must send the whole
 * list back: dropping it would reset the eviction clock of somebody else's taint.
 */
public record Taint(String key, String value, String effect, @Nullable String timeAdded) {
  public Taint(String key, String value, String effect) {
    this(key, value, effect, null);
  }

  /** What makes it the same taint. */
  public Key id() {
    return Key.taint(key, effect);
  }

  @Override
  public String toString() {
    return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
  }
}
