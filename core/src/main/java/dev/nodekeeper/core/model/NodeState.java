package dev.nodekeeper.core.model;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One observation of a node, trimmed to what can matter to us.
 *
 * @param uid names the incarnation
 * @param terminating has a deletionTimestamp
 * @param content what our policy keeps of it, and nothing else
 * @param taints the whole list, in order, because a patch replaces it whole
 * @param marker annotation {@code nodekeeper.dev/restored}
 * @param withheld annotation {@code nodekeeper.dev/withheld}
 * @param hasLabels a JSON patch cannot add below a map that is absent
 * @param hasAnnotations likewise
 * @param annotationBytes of all annotations, ours or not: the API limits their sum
 */
public record NodeState(
    String name,
    String uid,
    long rv,
    boolean terminating,
    Content content,
    List<Taint> taints,
    @Nullable String marker,
    @Nullable String withheld,
    Identity identity,
    boolean hasLabels,
    boolean hasAnnotations,
    int annotationBytes) {

  /** Annotation keys of ours. One place, because people grep for them. */
  public static final String MARKER = "nodekeeper.dev/restored";

  public static final String WITHHELD = "nodekeeper.dev/withheld";

  /** The same, in the memory of an earlier observation as far as they agree. */
  public NodeState like(NodeState earlier) {
    return new NodeState(
        earlier.name,
        Pool.shared(uid, earlier.uid),
        rv,
        terminating,
        content.like(earlier.content),
        Pool.shared(taints, earlier.taints),
        Pool.shared(marker, earlier.marker),
        Pool.shared(withheld, earlier.withheld),
        Pool.shared(identity, earlier.identity),
        hasLabels,
        hasAnnotations,
        annotationBytes);
  }

  /** The same, in this memory as far as they agree. */
  public NodeState like(Content same, Identity machine) {
    Content sharedContent = content.like(same);
    Identity sharedIdentity = Pool.shared(identity, machine);
    return sharedContent == content && sharedIdentity == identity
        ? this
        : new NodeState(
            name,
            uid,
            rv,
            terminating,
            sharedContent,
            taints,
            marker,
            withheld,
            sharedIdentity,
            hasLabels,
            hasAnnotations,
            annotationBytes);
  }

  /** The same, with this instance of its name. */
  public NodeState named(String same) {
    return new NodeState(
        same,
        uid,
        rv,
        terminating,
        content,
        taints,
        marker,
        withheld,
        identity,
        hasLabels,
        hasAnnotations,
        annotationBytes);
  }

  /** Whether the other observation could lead to another decision: most heartbeats end here. */
  public boolean looksLike(NodeState other) {
    return uid.equals(other.uid)
        && terminating == other.terminating
        && content.equals(other.content)
        && taints.equals(other.taints)
        && Objects.equals(marker, other.marker)
        && Objects.equals(withheld, other.withheld)
        && identity.equals(other.identity);
  }
}
