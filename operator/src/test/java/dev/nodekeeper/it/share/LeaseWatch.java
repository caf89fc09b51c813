package dev.nodekeeper.it.share;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Follow;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/** Who holds which shard, as the API server tells it. */
final class LeaseWatch implements AutoCloseable {
  private final int shards;
  private final String path;
  private final Map<Integer, String> holders = new ConcurrentHashMap<>();
  private final Map<Integer, Long> orphans = new ConcurrentHashMap<>();
  private final Queue<Long> taken = new ConcurrentLinkedQueue<>();
  private final Follow watch;

  LeaseWatch(World world, int shards) {
    this.shards = shards;
    this.path = "/apis/coordination.k8s.io/v1/namespaces/" + world.namespace + "/leases";
    this.watch = new Follow(world.admin, path, this::see);
  }

  private void see(JsonNode event) {
    JsonNode lease = event.path("object");
    int shard = shardOf(lease.path("metadata").path("name").asText());
    if (shard >= 0) {
      boolean deleted = event.path("type").asText().equals("DELETED");
      String holder = deleted ? "" : lease.path("spec").path("holderIdentity").asText();
      String before = holders.put(shard, holder);
      Long since = holder.isEmpty() || holder.equals(before) ? null : orphans.remove(shard);
      if (since != null) {
        taken.add(System.nanoTime() - since);
      }
    }
  }

  /** Their owner has died just now: measured until somebody else has them. */
  void orphaned(Set<Integer> shards, long since) {
    shards.forEach(shard -> orphans.putIfAbsent(shard, since));
  }

  /** How long that took, in nanoseconds. */
  List<Long> taken() {
    return List.copyOf(taken);
  }

  /** Of a lease by that name; -1 for one that is not about a shard. */
  static int shardOf(String lease) {
    return lease.matches("nodekeeper-\\d+-of-\\d+") ? Integer.parseInt(lease.split("-")[1]) : -1;
  }

  String path(int shard) {
    return path + "/nodekeeper-" + shard + "-of-" + shards;
  }

  Set<Integer> of(Replica replica) {
    return holders.entrySet().stream()
        .filter(entry -> replica.holds(entry.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Until every shard is held, by so many holders, as evenly as can be. */
  void awaitEven(int replicas) {
    await(replicas + " replicas share " + shards + " shards evenly")
        // A process with a clock of its own is very slow.
        .atMost(World.HANG.multipliedBy(3))
        .until(this::counts, counts -> even(counts, replicas));
  }

  private Map<String, Integer> counts() {
    Map<String, Integer> counts = new TreeMap<>();
    holders.values().stream()
        .filter(holder -> !holder.isEmpty())
        .forEach(h -> counts.merge(h, 1, Integer::sum));
    return counts;
  }

  private boolean even(Map<String, Integer> counts, int replicas) {
    int holding = Math.min(replicas, shards);
    return counts.size() == holding
        && counts.values().stream().mapToInt(Integer::intValue).sum() == shards
        && counts.values().stream()
            .allMatch(n -> n == shards / holding || n == (shards + holding - 1) / holding);
  }

  @Override
  public void close() {
    watch.close();
  }
}
