package dev.nodekeeper.sim;

import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Version;
import dev.nodekeeper.core.policy.Policy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** People's last words about one node name, and what happened to it. */
final class Expected {
  /** The living incarnation, or the last one. */
  String uid = "";

  long registeredAt;

  /** When our marker was taken off it last; 0 when it was not. */
  long strippedAt;

  /** Taints of this life that we sent before the rest of its restore. */
  final Map<Key, String> cameFirst = new TreeMap<>();

  /** What people did to the living incarnation and we did not (excused) overwrite. */
  final Map<Key, Edit> edits = new HashMap<>();

  final SortedMap<Key, Word> words = new TreeMap<>();

  /** How each life ended. */
  private final Map<String, End> ends = new HashMap<>();

  /** Hand edits that are not taken up yet. */
  final Map<Key, Long> handEdits = new HashMap<>();

  /** When a person deleted its record last. */
  long forgottenAt;

  /** The newest state that an empty record had when it was cleaned up. */
  long cleanedUpTo;

  /** The node as it was then: it may bring the record back. */
  @Nullable NodeState livedThen;

  record Edit(@Nullable String value, long rv) {}

  private record End(long rv, long millis) {}

  /** The last word about a key. */
  static final class Word {
    final @Nullable String value;
    final long rv;

    /** The incarnation on which it was said; empty when it was said in the record. */
    final String uid;

    /** When that incarnation registered. */
    final long since;

    /** A record has held it, knowing that it is this word. */
    boolean durable;

    @Nullable Limit excuse;

    Word(@Nullable String value, long rv, String uid, long since) {
      this.value = value;
      this.rv = rv;
      this.uid = uid;
      this.since = since;
    }

    private Word copy() {
      Word copy = new Word(value, rv, uid, since);
      copy.durable = durable;
      copy.excuse = excuse;
      return copy;
    }
  }

  Expected copy() {
    Expected copy = new Expected();
    copy.uid = uid;
    copy.registeredAt = registeredAt;
    copy.strippedAt = strippedAt;
    copy.edits.putAll(edits);
    copy.cameFirst.putAll(cameFirst);
    words.forEach((key, word) -> copy.words.put(key, word.copy()));
    copy.ends.putAll(ends);
    copy.handEdits.putAll(handEdits);
    copy.forgottenAt = forgottenAt;
    copy.cleanedUpTo = cleanedUpTo;
    copy.livedThen = livedThen;
    return copy;
  }

  // ---- what happens

  void registered(NodeState node) {
    uid = node.uid();
    registeredAt = node.rv();
    strippedAt = 0;
    cameFirst.clear();
    edits.clear();
  }

  void ended(long rv, long millis) {
    ends.put(uid, new End(rv, millis));
    edits.clear();
  }

  void edited(Key key, @Nullable String value, long rv) {
    edits.put(key, new Edit(value, rv));
    words.put(key, new Word(value, rv, uid, registeredAt));
  }

  /** In the record, which holds it from that moment. */
  void wrote(Key key, @Nullable String value, long rv) {
    Word word = new Word(value, rv, "", 0);
    word.durable = true;
    words.put(key, word);
  }

  /**
   * A person edits (or repairs) a record whose last edit is not taken up: both will count as the
   * newer, and will be restored.
   */
  void twoHandEdits() {
    handEdits.forEach(
        (key, rv) -> {
          Word word = words.get(key);
          if (word != null && !word.uid.isEmpty() && word.rv > rv) {
            word.excuse = Limit.TWO_HAND_EDITS;
            edits.remove(key);
          }
        });
  }

  /** The same, back at what we wrote: this edit leaves no trace at all. */
  void undoneByHand(Key key) {
    Objects.requireNonNull(words.get(key)).excuse = Limit.TWO_HAND_EDITS;
  }

  /** What lies outside the writer's policy is not in this version, and may count as if it were. */
  void captured(Version version, Policy policy) {
    words.forEach(
        (key, word) -> {
          if (!policy.keeps(key)
              && word.excuse == null
              && !word.durable
              && word.uid.equals(version.uid())
              && word.rv <= version.rv()) {
            word.excuse = Limit.NARROW;
          }
        });
  }

  /** Whether a record made from that state brings back what was forgotten. */
  boolean undoesForget(NodeRecord made) {
    boolean ofTheLiving =
        livedThen != null && livedThen.uid().equals(made.uid()) && livedThen.rv() == made.rv();
    return made.rv() < forgottenAt && !ofTheLiving;
  }

  /** What is on the node counts now; without a node, nothing. */
  void forgotten(@Nullable NodeState node, long rv) {
    forgottenAt = rv;
    livedThen = node;
    handEdits.clear();
    for (Key key : List.copyOf(words.keySet())) {
      String value = node == null ? null : node.content().get(key);
      Word word = node == null ? new Word(null, rv, "", 0) : new Word(value, rv, uid, registeredAt);
      if (value != null && !edits.containsKey(key)) {
        // Nobody's word in this life: it stays if the record is made anew while the node lives.
        word.excuse = Limit.FORGET_ON_ITS_WAY;
      }
      words.put(key, word);
    }
  }

  /** Another value than people's last word may stand for this key, for a known reason. */
  void excuse(Key key, @Nullable String value, Limit limit) {
    Word word = words.get(key);
    if (word == null) {
      word = new Word(null, 0, "", 0);
      words.put(key, word);
    }
    if (word.excuse == null && !Objects.equals(word.value, value)) {
      word.excuse = limit;
    }
  }

  /** What that life had from us, or from us not, passes for its own word. */
  void excuseStripped(String life, Content content) {
    words.forEach(
        (key, word) -> {
          if (!word.uid.equals(life)) {
            excuse(key, content.get(key), Limit.STRIPPED);
          }
        });
  }

  // ---- what it means

  /**
   * Whether a record that says the same as this word does so because of it. An absence may be older
   * than the word: it counts where this version took the key out.
   *
   * @param looked its writer keeps the key, and the word was not hidden from it
   */
  boolean knows(
      @Nullable NodeRecord before, NodeRecord record, Key key, Word word, boolean looked) {
    boolean tookOut = before != null && before.content().get(key) != null;
    boolean ofThisLife = looked && record.uid().equals(word.uid) && record.rv() >= word.rv;
    boolean merged = record.wordOn(key) >= word.rv;
    return word.value == null
        ? tookOut && (ofThisLife || merged)
        : key.kind() != Kind.CORDON || ofThisLife || merged;
  }

  /** Lives that ended before the state that an empty record had: with it, they are void. */
  void excuseCleanedUp(NodeRecord cleanedUp) {
    for (Word word : words.values()) {
      boolean ofAnother = !word.uid.isEmpty() && !word.uid.equals(cleanedUp.uid());
      End end = ends.get(word.uid);
      boolean before = end != null && end.rv() <= cleanedUp.rv();
      if (ofAnother && before && !word.durable && word.excuse == null) {
        word.excuse = Limit.CLEANED_UP;
      }
    }
  }

  /**
   * An older word of a life takes the place of its last, which the record said anyway: those who
   * knew it had nothing to write, and have let go of that life.
   *
   * @param letGo of lives that ended before this time
   */
  void excuseLate(@Nullable NodeRecord before, NodeRecord after, long letGo) {
    words.forEach(
        (key, word) -> {
          End end = ends.get(word.uid);
          String had = before == null ? null : before.content().get(key);
          long written = after.wordOn(key);
          boolean olderOfThisLife = written >= word.since && written < word.rv;
          if (end != null
              && end.millis() < letGo
              && olderOfThisLife
              && !word.durable
              && Objects.equals(had, word.value)) {
            excuse(key, after.content().get(key), Limit.LATE);
          }
        });
  }

  /** An older state came back, and with it whatever else is that old. */
  void excuseForgotten() {
    for (Word word : words.values()) {
      if (word.rv == forgottenAt && word.excuse == null) {
        word.excuse = Limit.FORGET_ON_ITS_WAY;
      }
    }
  }
}
