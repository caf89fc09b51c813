package dev.nodekeeper.cli.records;

import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Words;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a file remembers of one node.
 *
 * @param node its name; or, where {@code hashed}, the SHA-256 of it in hex
 * @param capturedAt empty where the file does not say
 * @param where the object that it was read from, for people
 * @param remarks what of it cannot be taken over, and why
 */
public record Found(
    String node,
    boolean hashed,
    Content content,
    String capturedAt,
    Map<String, String> unknown,
    String where,
    List<String> remarks) {

  public Found named(String name) {
    return new Found(name, false, content, capturedAt, unknown, where, remarks);
  }

  /** A record that nobody has bound to an incarnation, as a person would write it. */
  NodeRecord record() {
    return record(node, content, capturedAt, unknown);
  }

  static NodeRecord record(
      String node, Content content, String capturedAt, Map<String, String> unknown) {
    return new NodeRecord(
        node,
        Origin.NONE,
        content,
        null,
        List.of(),
        Words.NONE,
        Set.of(),
        Identity.NONE,
        capturedAt,
        List.of(),
        unknown,
        Map.of());
  }
}
