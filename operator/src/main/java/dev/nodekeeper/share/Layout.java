package dev.nodekeeper.share;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Which leases there are. Their names hold the number of shards, so that replicas with different
 * settings, as during an upgrade, do not count on each other.
 *
 * @param prefix one for each kind of work that is shared: replicas share with their own kind only
 */
public record Layout(String namespace, String prefix, int shards) {
  /** On each lease, its value is the prefix: what we list. */
  static final String LABEL = "nodekeeper.dev/lease";

  private static final int HASH_BYTES = 8;

  public Layout {
    if (shards < 1) {
      throw new IllegalArgumentException(shards + " shards");
    }
  }

  String shard(int number) {
    return shards == 1 ? prefix : "%s-%d-of-%d".formatted(prefix, number, shards);
  }

  /** With a single shard there is nothing to balance: plain leader election. */
  boolean hasMembers() {
    return shards > 1;
  }

  /** By which a replica shows that it is there, also when it holds no shard. */
  String member(String replica) {
    return memberPrefix() + hash(replica) + "-of-" + shards;
  }

  boolean isMember(String name) {
    return name.startsWith(memberPrefix()) && name.endsWith("-of-" + shards);
  }

  /** Made by us, for this layout or another. */
  boolean isOurs(String name) {
    String quoted = Pattern.quote(prefix);
    return name.matches(quoted + "(-[0-9]+-of-[0-9]+|-member-[0-9a-f]+-of-[0-9]+)?");
  }

  /** Where a replica begins to look for a free shard: spread, so that few want the same one. */
  int start(String replica) {
    return Math.floorMod(hash(replica).hashCode(), shards);
  }

  String path() {
    return "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
  }

  private String memberPrefix() {
    return prefix + "-member-";
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
