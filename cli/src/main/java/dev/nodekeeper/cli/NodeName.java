package dev.nodekeeper.cli;

import dev.nodekeeper.core.policy.Rules;
import java.util.List;

/** Names of nodes as people type them. */
final class NodeName {
  private NodeName() {}

  /** Without its kind, and one that a node can have. */
  static String checked(String typed) {
    String name = plain(typed);
    String flaw = Rules.nodeName(name);
    if (flaw != null) {
      throw new ProblemException(
          ExitCode.BAD_USAGE, "'%s' cannot be a node: %s".formatted(name, flaw));
    }
    return name;
  }

  /** {@code kubectl get -o name} and ours write it with its kind. */
  static String plain(String name) {
    for (String kind : List.of("node/", "nodes/", "configmap/")) {
      if (name.startsWith(kind)) {
        return name.substring(kind.length());
      }
    }
    return name;
  }

  static ProblemException notFound(String node, String namespace, String program) {
    return new ProblemException(
        ExitCode.NOT_FOUND,
        "there is no node %s, and no record of it in namespace %s; `%s list` shows what there is"
            .formatted(node, namespace, program));
  }
}
