package dev.nodekeeper.core.keep;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;

/** What of the work is ours: the role, and the nodes of the shards that we own. */
final class Duty {
  /** A new owner whose watches do not say how far they are begins after so long. */
  private static final long CATCH_UP_MILLIS = 500;

  final Role role;
  private final Horizon horizon;
  private Shares shares = Shares.ALL;

  /** Owned and caught up. */
  private final Set<Integer> ready = new HashSet<>(Set.of(0));

  /** Owned, but what the owner before us wrote last may not have reached us: until when. */
  private final Map<Integer, Long> fresh = new HashMap<>();

  Duty(Role role, Horizon horizon) {
    this.role = role;
    this.horizon = horizon;
  }

  void share(Shares next, long now) {
    if (next.count() != shares.count()) {
      ready.clear();
      fresh.clear();
    }
    // Taken anew is not kept.
    ready.removeIf(shard -> !Objects.equals(next.mine().get(shard), shares.mine().get(shard)));
    shares = next;
    fresh.keySet().retainAll(next.mine().keySet());
    for (int shard : next.mine().keySet()) {
      if (!ready.contains(shard)) {
        fresh.putIfAbsent(shard, now + CATCH_UP_MILLIS);
      }
    }
  }

  boolean covers(Slot slot) {
    // NB: asked of all nodes at once when they are counted.
    return ready.size() == shares.count() || ready.contains(shard(slot.name));
  }

  int shard(String node) {
    return Shares.shard(node, shares.count());
  }

  /** True when we may begin with further nodes. */
  boolean catchUp(long now) {
    if (fresh.isEmpty()) {
      return false;
    }
    Set<Integer> caughtUp = new HashSet<>();
    fresh.forEach(
        (shard, until) -> {
          long taken = shares.mine().getOrDefault(shard, 0L);
          if (now >= until || (horizon.nodes >= taken && horizon.records >= taken)) {
            caughtUp.add(shard);
          }
        });
    fresh.keySet().removeAll(caughtUp);
    return ready.addAll(caughtUp);
  }

  OptionalLong nextAt() {
    return fresh.isEmpty()
        ? OptionalLong.empty()
        : fresh.values().stream().mapToLong(Long::longValue).min();
  }
}
