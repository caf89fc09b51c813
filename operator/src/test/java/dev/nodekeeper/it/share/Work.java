package dev.nodekeeper.it.share;

import dev.nodekeeper.core.keep.Shares;
import dev.nodekeeper.testbed.AuditLog.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Requests of replicas, each under a user of its own, as the audit log has them. */
final class Work {
  private Work() {}

  /** Events are words, not work: they follow at their own pace. */
  static boolean isWrite(Request request) {
    return !Set.of("get", "list", "watch").contains(request.verb())
        && !Set.of("leases", "events").contains(request.resource());
  }

  /**
   * What the work itself costs: lists and watches are the price of a replica, leases that of
   * sharing.
   */
  static boolean counts(Request request) {
    return !Set.of("list", "watch").contains(request.verb())
        && !Set.of("leases", "events").contains(request.resource());
  }

  /**
   * Writes to nodes and records by somebody to whom their shard did not belong when they arrived:
   * whoever wrote its lease last before is its owner.
   */
  static List<Request> byOthers(List<Request> inOrder, int shards) {
    Map<Integer, String> owners = new HashMap<>();
    List<Request> found = new ArrayList<>();
    for (Request request : inOrder) {
      if (request.resource().equals("leases")) {
        int shard = LeaseWatch.shardOf(request.name());
        if (shard >= 0 && isChange(request)) {
          owners.put(shard, request.user());
        }
      } else if (isWrite(request)) {
        int shard = Shares.shard(request.name(), shards);
        if (!request.user().equals(owners.get(shard))) {
          found.add(request);
        }
      }
    }
    return found;
  }

  private static boolean isChange(Request request) {
    return Set.of("create", "update").contains(request.verb()) && request.code() / 100 == 2;
  }
}
