package dev.nodekeeper.core.model;

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
    Words words,
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
        Words.NONE,
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

  /** How new the record's word on the key is. */
  public long wordOn(Key key) {
    return words.on(key, content.get(key) != null);
  }

  /** The next version of this record. */
  public NodeRecord next(Draft draft, String nonce, String capturedAt, int versionsKept) {
    return new NodeRecord(
        node,
        origin,
        draft.content(),
        new Version(generation() + 1, nonce, draft.uid(), draft.rv(), draft.content()),
        history().limit(versionsKept).toList(),
        words.after(current == null ? null : current.content(), draft),
        Set.copyOf(draft.withheld()),
        draft.identity(),
        capturedAt,
        List.of(),
        foreignRecord,
        foreignState);
  }

  public NodeRecord storedAs(Origin stored) {
    return with(stored, current, versions, words);
  }

  /** Says since when its node is away, 0 for "it is there"; no new version. */
  public NodeRecord away(long since) {
    return storedAs(origin.away(since));
  }

  public NodeRecord withVersions(List<Version> kept) {
    return with(origin, current, kept, words);
  }

  /** Captured from a node newer than itself: its guard is of a history that is lost. */
  public boolean guardsLostHistory() {
    return rv() > origin.rv();
  }

  /** Its guard compares with a history that no longer exists: the next view counts as newer. */
  public NodeRecord withoutGuard() {
    if (current == null) {
      return this;
    }
    List<Version> older = versions.stream().map(Version::withoutRv).toList();
    return with(origin, current.withoutRv(), older, Words.NONE);
  }

  private NodeRecord with(Origin stored, @Nullable Version now, List<Version> older, Words order) {
    return new NodeRecord(
        node,
        stored,
        content,
        now,
        older,
        order,
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
   * @param touched keys that people touched, with the rv of the touch, where that is known
   */
  public record Draft(
      Content content,
      String uid,
      long rv,
      Identity identity,
      Set<Key> withheld,
      Map<Key, Long> touched) {

    public Draft(Content content, String uid, long rv, Identity identity, Set<Key> withheld) {
      this(content, uid, rv, identity, withheld, Map.of());
    }
  }
}
