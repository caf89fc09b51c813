package dev.nodekeeper.read;

import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Pool;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Taint;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What has been read of a Node so far, in whichever form it came. */
final class NodeDraft {
  private final KeyCache keys;
  private final TreeMap<Key, String> content = new TreeMap<>();
  private final List<Taint> taints = new ArrayList<>();
  private @Nullable String marker;
  private @Nullable String withheld;
  private boolean hasLabels;
  private boolean hasAnnotations;
  private int annotationBytes;

  String name = "";
  String uid = "";
  String rv = "";
  boolean terminating;
  String providerId = "";
  String systemUuid = "";
  String machineId = "";

  NodeDraft(KeyCache keys) {
    this.keys = keys;
  }

  void label(String key, String value) {
    hasLabels = true;
    keys.label(key).ifPresent(kept -> content.put(kept, value));
  }

  void annotation(String key, String value) {
    hasAnnotations = true;
    annotationBytes += utf8Length(key) + utf8Length(value);
    switch (key) {
      case NodeState.MARKER -> marker = value;
      case NodeState.WITHHELD -> withheld = value;
      default -> keys.annotation(key).ifPresent(kept -> content.put(kept, value));
    }
  }

  void cordoned() {
    keys.cordon().ifPresent(kept -> content.put(kept, "true"));
  }

  void taint(Taint taint) {
    taints.add(taint);
    keys.taint(taint.key(), taint.effect())
        .ifPresent(kept -> content.putIfAbsent(kept, taint.value()));
  }

  NodeState finish() throws UnreadableObjectException {
    if (name.isEmpty() || uid.isEmpty() || !Origin.isRevision(rv)) {
      throw new UnreadableObjectException(
          "node '%s' has uid '%s' and resourceVersion '%s'".formatted(name, uid, rv));
    }
    return new NodeState(
        name,
        uid,
        Long.parseLong(rv),
        terminating,
        Content.of(content),
        Pool.one(List.copyOf(taints)),
        marker,
        withheld,
        new Identity(providerId, systemUuid, machineId),
        hasLabels,
        hasAnnotations,
        annotationBytes);
  }

  /** Without making the bytes: annotations can be long, and heartbeats are many. */
  private static int utf8Length(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes += 1;
      } else if (c < 0x800) {
        bytes += 2;
      } else {
        // Each half of a surrogate pair counts two of its four bytes.
        bytes += Character.isSurrogate(c) ? 2 : 3;
      }
    }
    return bytes;
  }
}
