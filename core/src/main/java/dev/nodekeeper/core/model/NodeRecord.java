package dev.nodekeeper.core.model;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What we remember of a node name.
 *
 * @param content what record.json says now, a person's edits included
 * @param current what we wrote last; null in a record that a person made
 * @param versions older ones, newest first, bounded
 * @param late what came from tombstones of lives that the record did not know
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
    Late late,
    Set<Key> withheld,
    Identity identity,
    String capturedAt,
    List<String> notes,
    Map<String, String> foreignRecord,
    Map<String, String> foreignState)
    implements Stored {

  /** The first record of a node name. */
  public static NodeRecord none(String node) {
    return new NodeRecord(
        node,
        Origin.NONE,
        Content.EMPTY,
        null,
        List.of(),
        Late.NONE,
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
    return current == null || !current.vouches() || !current.content().equals(content);
  }

  /** Nothing is left in it, and no person's edit waits to be taken up. */
  public boolean spent() {
    return content.isEmpty() && !edited();
  }

  /** The current version and the older ones, newest first. */
  public Stream<Version> history() {
    return Stream.concat(Stream.ofNullable(current), versions.stream());
  }

  /** The next version of this record. */
  public NodeRecord next(Draft draft, String nonce, String capturedAt, int versionsKept) {
    return new NodeRecord(
        node,
        origin,
        draft.content(),
        new Version(generation() + 1, nonce, draft.uid(), draft.rv(), draft.content()),
        history().limit(versionsKept).toList(),
        late.after(current == null ? Content.EMPTY : current.content(), draft),
        Set.copyOf(draft.withheld()),
        draft.identity(),
        capturedAt,
        List.of(),
        foreignRecord,
        foreignState);
  }

  public NodeRecord storedAs(Origin stored) {
    return with(stored, current, versions);
  }

  public NodeRecord withVersions(List<Version> kept) {
    return with(origin, current, kept);
  }

  /** Its guard compares with a history that no longer exists: the next view counts as newer. */
  public NodeRecord withoutGuard() {
    if (current == null) {
      return this;
    }
    Version reset =
        new Version(current.generation(), current.nonce(), current.uid(), 0, current.content());
    return with(origin, reset, versions);
  }

  private NodeRecord with(Origin stored, @Nullable Version now, List<Version> older) {
    return new NodeRecord(
        node,
        stored,
        content,
        now,
        older,
        late,
        withheld,
        identity,
        capturedAt,
        notes,
        foreignRecord,
        foreignState);
  }

  /** What a decision wants the next version to say. */
  public record Draft(
      Content content,
      String uid,
      long rv,
      Identity identity,
      Set<Key> withheld,
      Tombstone merged) {

    public Draft(Content content, String uid, long rv, Identity identity, Set<Key> withheld) {
      this(content, uid, rv, identity, withheld, Tombstone.NONE);
    }
  }

  /** The deleted incarnation that a version took these keys from. */
  public record Tombstone(String uid, long rv, Set<Key> keys) {
    public static final Tombstone NONE = new Tombstone("", 0, Set.of());
  }

  /**
   * What tombstones of lives that the record did not know gave to it.
   *
   * @param lives their uids, with the rv up to which they were seen, bounded: nobody merges the
   *     same twice, but one who saw more of a life may add to it
   * @param keys whose present value came from one, with its rv: of two the younger wins
   */
  public record Late(Map<String, Long> lives, Map<Key, Long> keys) {
    public static final Late NONE = new Late(Map.of(), Map.of());
    private static final int LIVES_KEPT = 16;

    public boolean holds(String uid, long rv) {
      return lives.getOrDefault(uid, -1L) >= rv;
    }

    Late after(Content before, Draft draft) {
      Map<Key, Long> nextKeys = new TreeMap<>(keys);
      nextKeys.keySet().removeAll(before.changed(draft.content()));
      Map<String, Long> nextLives = new TreeMap<>(lives);
      Tombstone merged = draft.merged();
      if (!merged.uid().isEmpty()) {
        nextLives.put(merged.uid(), merged.rv());
        merged.keys().forEach(key -> nextKeys.put(key, merged.rv()));
      }
      if (nextLives.size() > LIVES_KEPT) {
        nextLives.values().remove(Collections.min(nextLives.values()));
      }
      return new Late(Map.copyOf(nextLives), Map.copyOf(nextKeys));
    }
  }
}
