package dev.nodekeeper.core.keep;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Which nodes are ours to write to. All replicas watch and remember; only the owner acts.
 *
 * @param count shards that there are
 * @param mine shards that we own, with the revision of the cluster up to which they were another's
 */
public record Shares(int count, Map<Integer, Long> mine) {
  /** Every node is ours. */
  public static final Shares ALL = new Shares(1, Map.of(0, 0L));

  public Shares {
    mine = Map.copyOf(mine);
  }

  /** By name, since a uid changes with each life; the same in every version of us (FNV-1a). */
  public static int shard(String node, int count) {
    int hash = 0x811c9dc5;
    for (byte b : node.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * 0x01000193;
    }
    // The low bits of names that differ in one digit are alike: mixed once more.
    hash = (hash ^ (hash >>> 16)) * 0x7feb352d;
    hash = (hash ^ (hash >>> 15)) * 0x846ca68b;
    return Integer.remainderUnsigned(hash ^ (hash >>> 16), count);
  }
}
