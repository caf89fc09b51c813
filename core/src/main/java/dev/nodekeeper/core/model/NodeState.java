package dev.nodekeeper.core.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One observation of a node, trimmed to what can matter to us.
 *
 * @param life the incarnation, with annotations {@code nodekeeper.dev/restored} (the marker) and
 *     {@code nodekeeper.dev/withheld}
 * @param terminating has a deletionTimestamp
 * @param content what our policy keeps of it, and nothing else
 * @param taints the whole list, in order, because a patch replaces it whole
 * @param hasLabels a JSON patch cannot add below a map that is absent
 * @param hasAnnotations likewise
 * @param annotationBytes of all annotations, ours or not: the API limits their sum
 */
public record NodeState(
    String name,
    Life life,
    long rv,
    boolean terminating,
    Content content,
    List<Taint> taints,
    Identity identity,
    boolean hasLabels,
    boolean hasAnnotations,
    int annotationBytes) {

  /** Annotation keys of ours. One place, because people grep for them. */
  public static final String MARKER = "nodekeeper.dev/restored";

  public static final String WITHHELD = "nodekeeper.dev/withheld";

  public NodeState(
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
    this(
        name,
        new Life(uid, marker, withheld),
        rv,
        terminating,
        content,
        taints,
        identity,
        hasLabels,
        hasAnnotations,
        annotationBytes);
  }

  public String uid() {
    return life.uid();
  }

  public @Nullable String marker() {
    return life.marker();
  }

  public @Nullable String withheld() {
    return life.withheld();
  }

  /** The same, in the memory of an earlier observation as far as they agree. */
  public NodeState like(NodeState earlier) {
    return new NodeState(
        earlier.name,
        Pool.shared(life, earlier.life),
        rv,
        terminating,
        content.like(earlier.content),
        Pool.shared(taints, earlier.taints),
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
            life,
            rv,
            terminating,
            sharedContent,
            taints,
            sharedIdentity,
            hasLabels,
            hasAnnotations,
            annotationBytes);
  }

  /** The same, with this instance of its name. */
  public NodeState named(String same) {
    return new NodeState(
        same,
        life,
        rv,
        terminating,
        content,
        taints,
        identity,
        hasLabels,
        hasAnnotations,
        annotationBytes);
  }

  /** Whether the other observation could lead to another decision: most heartbeats end here. */
  public boolean looksLike(NodeState other) {
    return life.equals(other.life)
        && terminating == other.terminating
        && content.equals(other.content)
        && taints.equals(other.taints)
        && identity.equals(other.identity);
  }
}
