package dev.nodekeeper.sim;

import dev.nodekeeper.core.keep.Shares;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Which shards each replica believes to own: several may own the same, or nobody, as when clocks,
 * requests and people get in the way of leases.
 */
final class Owners {
  private final SplittableRandom random;
  private final ApiServer server;
  private final List<Replica> replicas;

  /** How many shards there are; 0 where everybody owns all. */
  private final int count;

  private Owners(SplittableRandom random, ApiServer server, List<Replica> replicas, int count) {
    this.random = random;
    this.server = server;
    this.replicas = replicas;
    this.count = count;
  }

  static Owners of(Plan plan, ApiServer server, List<Replica> replicas) {
    SplittableRandom random = new SplittableRandom(plan.seed());
    int count = plan.family() == Family.SHARES ? 1 + random.nextInt(4) : 0;
    return new Owners(random, server, replicas, count);
  }

  /** A process owns nothing at first. */
  void start(Replica replica) {
    if (count > 0) {
      replica.share(new Shares(count, Map.of()));
    }
  }

  /** It takes some, perhaps anew, and loses others, whatever the rest of them own. */
  void change(Replica replica, SplittableRandom dice) {
    Map<Integer, Long> next = new TreeMap<>(replica.shares().mine());
    for (int shard = 0; shard < count; shard++) {
      switch (dice.nextInt(4)) {
        case 0 -> next.remove(shard);
        case 1 -> next.put(shard, server.rv());
        case 2 -> next.putIfAbsent(shard, server.rv());
        default -> {}
      }
    }
    replica.share(new Shares(count, next));
  }

  /** Each shard has exactly one owner now. */
  void deal() {
    for (int shard = 0; shard < count; shard++) {
      Replica owner = replicas.get(random.nextInt(replicas.size()));
      for (Replica replica : replicas) {
        Map<Integer, Long> next = new TreeMap<>(replica.shares().mine());
        if (replica == owner) {
          next.putIfAbsent(shard, server.rv());
        } else {
          next.remove(shard);
        }
        replica.share(new Shares(count, next));
      }
    }
  }
}
