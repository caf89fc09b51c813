package dev.nodekeeper.cli.look;

import dev.nodekeeper.core.codec.Marker;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeRecord.Draft;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Taint;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.look.Standing;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Nodes and records to look at. */
final class Standings {
  static final String NONCE = "0123456789abcdefghijklmnop";
  static final Content VISION =
      Content.of(Map.of("team", "vision"), List.of(new Taint("dedicated", "vision", "NoSchedule")));

  private Standings() {}

  static NodeState node(String uid, long rv, Content content) {
    return node(uid, rv, content, null, false);
  }

  static NodeState node(
      String uid, long rv, Content content, @Nullable String marker, boolean terminating) {
    return new NodeState(
        "gpu-17",
        uid,
        rv,
        terminating,
        content,
        content.taints(),
        marker,
        null,
        Identity.NONE,
        true,
        true,
        0);
  }

  static NodeRecord record(String uid, long rv, Content content) {
    return record(uid, rv, content, Set.of());
  }

  static NodeRecord record(String uid, long rv, Content content, Set<Key> withheld) {
    return NodeRecord.none("gpu-17")
        .next(
            new Draft(content, uid, rv, Identity.NONE, withheld), NONCE, "2026-01-01T00:00:00Z", 4)
        .storedAs(new Origin("cm", rv + 1, ""));
  }

  static String marker(NodeRecord record, String uid) {
    return Marker.of(Objects.requireNonNull(record.current()), uid, "");
  }

  static Standing standing(@Nullable NodeState node, @Nullable Stored stored) {
    return Standing.of(
        "gpu-17", Optional.ofNullable(node), Optional.ofNullable(stored), Policy.DEFAULT);
  }
}
