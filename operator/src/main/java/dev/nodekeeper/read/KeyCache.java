package dev.nodekeeper.read;

import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.policy.Policy;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The keys that the policy keeps, one instance each: 100,000 nodes share a few dozen keys, and the
 * policy looks at each only once.
 */
final class KeyCache {
  /** Bounded, because any kubelet may invent keys. */
  private static final int MAX = 20_000;

  private final Policy policy;
  private final Map<String, Optional<Key>> labels = new ConcurrentHashMap<>();
  private final Map<String, Optional<Key>> annotations = new ConcurrentHashMap<>();
  private final Map<Key, Optional<Key>> taints = new ConcurrentHashMap<>();

  KeyCache(Policy policy) {
    this.policy = policy;
  }

  Optional<Key> label(String name) {
    Optional<Key> known = labels.get(name);
    return known != null ? known : remember(labels, name, Key.label(name));
  }

  Optional<Key> annotation(String name) {
    Optional<Key> known = annotations.get(name);
    return known != null ? known : remember(annotations, name, Key.annotation(name));
  }

  Optional<Key> taint(String key, String effect) {
    Key id = Key.taint(key, effect);
    Optional<Key> known = taints.get(id);
    return known != null ? known : remember(taints, id, id);
  }

  Optional<Key> cordon() {
    return kept(Key.CORDON);
  }

  private <K> Optional<Key> remember(Map<K, Optional<Key>> cache, K as, Key key) {
    Optional<Key> kept = kept(key);
    if (cache.size() < MAX) {
      cache.put(as, kept);
    }
    return kept;
  }

  private Optional<Key> kept(Key key) {
    return policy.keeps(key) ? Optional.of(key) : Optional.empty();
  }
}
