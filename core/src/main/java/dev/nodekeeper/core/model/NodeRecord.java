package dev.nodekeeper.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What we remember of a node name.
 *
 * @param content what record.json says now, a person's edits included
 * @param current what we wrote last; null in a record that a person made
 * @param versions older ones, newest first, bounded
 * @param merged uids whose late tombstones are in it already, newest first, bounded
 * @param withheld keys left out on purpose when the incarnation {@code uid()} was restored
 * @param notes what was odd about it, for people
 * @param foreignRecord fields of record.json that we do not know, as JSON text
 * @param foreignState likewise of state.json
 */
public record NodeRecord(
    String node,
    Origin origin,
    Content content,
    @Nullable Version current,
    List<Version> versions,
    List<String> merged,
    Set<Key> withheld,
    Identity identity,
    String capturedAt,
    List<String> notes,
    Map<String, String> foreignRecord,
    Map<String, String> foreignState)
    implements Stored {

  private static final int MERGED_KEPT = 16;

  /** 128 bits in base64url. */
  private static final int NONCE_CHARS = 22;

  /** The first record of a node name. */
  public static NodeRecord none(String node) {
    return new NodeRecord(
        node,
        Origin.NONE,
        Content.EMPTY,
        null,
        List.of(),
        List.of(),
        Set.of(),
        Identity.NONE,
        "",
        List.of(),
        Map.of(),
        Map.of());
  }

  public String uid() {
    return current == null ? "" : current.uid();
  }

  public long rv() {
    return current == null ? 0 : current.rv();
  }

  public long generation() {
    return current == null ? 0 : current.generation();
  }

  /**
   * Made or changed by a person, or unable to vouch for a marker: it becomes a version of its own.
   */
  public boolean edited() {
    return current == null
        || current.nonce().length() < NONCE_CHARS
        || !current.content().equals(content);
  }

  /** The current version and the older ones, newest first. */
  public Stream<Version> history() {
    return Stream.concat(Stream.ofNullable(current), versions.stream());
  }

  /** The next version of this record. */
  public NodeRecord next(Draft draft, String nonce, String capturedAt, int versionsKept) {
    List<String> nextMerged = new ArrayList<>(merged);
    if (!draft.merged().isEmpty() && !nextMerged.contains(draft.merged())) {
      nextMerged.addFirst(draft.merged());
    }
    return new NodeRecord(
        node,
        origin,
        draft.content(),
        new Version(generation() + 1, nonce, draft.uid(), draft.rv(), draft.content()),
        history().limit(versionsKept).toList(),
        nextMerged.stream().limit(MERGED_KEPT).toList(),
        Set.copyOf(draft.withheld()),
        draft.identity(),
        capturedAt,
        List.of(),
        foreignRecord,
        foreignState);
  }

  public NodeRecord storedAs(Origin stored) {
    return new NodeRecord(
        node,
        stored,
        content,
        current,
        versions,
        merged,
        withheld,
        identity,
        capturedAt,
        notes,
        foreignRecord,
        foreignState);
  }

  public NodeRecord withVersions(List<Version> kept) {
    return new NodeRecord(
        node,
        origin,
        content,
        current,
        kept,
        merged,
        withheld,
        identity,
        capturedAt,
        notes,
        foreignRecord,
        foreignState);
  }

  /** Its guard compares with a history that no longer exists: the next view counts as newer. */
  public NodeRecord withoutGuard() {
    if (current == null) {
      return this;
    }
    Version reset =
        new Version(current.generation(), current.nonce(), current.uid(), 0, current.content());
    return new NodeRecord(
        node,
        origin,
        content,
        reset,
        versions,
        merged,
        withheld,
        identity,
        capturedAt,
        notes,
        foreignRecord,
        foreignState);
  }

  /**
   * What a decision wants the next version to say.
   *
   * @param merged uid of the tombstone that it contains; empty for none
   */
  public record Draft(
      Content content, String uid, long rv, Identity identity, Set<Key> withheld, String merged) {}
}
