package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.codec.PackedRecord;
import dev.nodekeeper.core.decide.Knowledge;
import dev.nodekeeper.core.decide.NodeView;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.State;
import dev.nodekeeper.core.model.Stored;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a replica remembers of one node name. Plain memory: how it changes, not what follows. */
final class Slot {
  /** A person's command that began before our restore ends within this time. */
  private static final long BLIND_WRITE_MILLIS = 10_000;

  private static final Turn NO_TURN = new Turn();
  private static final Past NO_PAST = new Past();

  final String name;

  @Nullable NodeState node;
  @Nullable Knowledge knowledge;
  private @Nullable Stored stored;

  /** The same at rest. */
  private @Nullable PackedRecord packed;

  private @Nullable Past past;

  private @Nullable Turn turn;

  /** The last look found nothing to do, and nothing changed since: heartbeats end here. */
  boolean calm;

  /** What the last look at the living node found, or is to be expected of the next. */
  State found = State.CURRENT;

  /** The API server said no to our last request for it. */
  boolean refused;

  long wakeAt;

  /** The revision up to which we know that the node still lived. */
  long aliveRv;

  // Of the living incarnation.

  /** Of the same content. */
  int restores;

  private Content restoredContent = Content.EMPTY;
  private long countedRv;

  private long markedAt;

  private @Nullable Once once;

  Slot(String name) {
    this.name = name;
  }

  Turn turn() {
    if (turn == null) {
      turn = new Turn();
    }
    return turn;
  }

  /** To look at only. */
  private Turn lastTurn() {
    return turn == null ? NO_TURN : turn;
  }

  Past past() {
    if (past == null) {
      past = new Past();
    }
    return past;
  }

  /** To look at only. */
  Past knownPast() {
    return past == null ? NO_PAST : past;
  }

  Once once() {
    if (once == null) {
      once = new Once();
    }
    return once;
  }

  // ---- its record

  @Nullable Stored stored() {
    if (stored == null && packed != null) {
      stored = packed.open(name);
    }
    return stored;
  }

  Optional<Stored> record() {
    return Optional.ofNullable(stored());
  }

  @Nullable NodeRecord readable() {
    return stored() instanceof NodeRecord record ? record : null;
  }

  boolean hasRecord() {
    return packed != null || stored != null;
  }

  boolean hasReadable() {
    return packed != null || stored instanceof NodeRecord;
  }

  /** The revision of its ConfigMap; 0 where there is none. */
  long recordRv() {
    return packed != null ? packed.rv() : stored == null ? 0 : stored.origin().rv();
  }

  int recordSize() {
    return packed != null ? packed.size() : stored == null ? 0 : stored.origin().size();
  }

  private void store(@Nullable Stored next) {
    stored = next;
    packed = null;
  }

  /** Until somebody asks for it again. */
  void rest() {
    if (packed == null && stored instanceof NodeRecord record) {
      packed = PackedRecord.of(record);
    }
    if (packed != null) {
      stored = null;
      packed = node == null ? packed : packed.like(node);
    }
    if (turn != null && turn.over()) {
      turn = null;
    }
    if (past != null && past.over()) {
      past = null;
    }
  }

  /** The revision as of which we know the record without the watch. */
  long recordKnownAt() {
    return Math.max(lastTurn().recordAsOf, recordRv());
  }

  /** A record that was deleted stays in mind until the node watch has passed the deletion. */
  boolean forgettable(long nodesRv) {
    return node == null
        && !hasRecord()
        && knownPast().isEmpty()
        && lastTurn().inFlight == null
        && knownPast().forgottenRv <= nodesRv;
  }

  /** Lingering tombstones have nothing to say, and must not hide those that have. */
  int urgency() {
    if (!knownPast().quiet()) {
      return 0;
    }
    if (node == null || node.life().isMarked() || !lacks(node)) {
      return 3;
    }
    return recordRepels() ? 1 : 2;
  }

  /** What is in the record; it is not opened for that. */
  Content recordContent() {
    return packed != null
        ? packed.content()
        : stored instanceof NodeRecord record ? record.content() : Content.EMPTY;
  }

  /** NB: asked of all nodes at once, so a record at rest is not opened for it. */
  private boolean lacks(NodeState living) {
    return packed != null
        ? !packed.uid().equals(living.uid())
        : stored instanceof NodeRecord record && !record.uid().equals(living.uid());
  }

  private boolean recordRepels() {
    return recordContent().repels();
  }

  /** A new incarnation. */
  void begin(NodeState seen, Function<NodeState, Knowledge> known, long now) {
    node = shared(seen.named(name));
    knowledge = known.apply(node);
    restores = 0;
    markedAt = 0;
    once = null;
    aliveRv = seen.rv();
    if (past != null) {
      past.absentSince = 0;
    }
    refused = false;
    found = expected(seen);
    if (turn != null || now != 0) {
      turn().beginLife(now);
    }
    overtaken();
    news();
  }

  /** What is listed, in the memory of what we have of it. */
  NodeState familiar(NodeState listed) {
    if (node == null) {
      return shared(listed.named(name));
    }
    return listed.equals(node) ? node : listed.like(node);
  }

  PackedRecord familiar(PackedRecord listed) {
    return packed != null && packed.equals(listed) ? packed : listed;
  }

  /** All lives use the memory of their record: those that are over do for a while. */
  private NodeState shared(NodeState seen) {
    return packed == null ? seen : seen.like(packed.content(), packed.identity());
  }

  /** A guess for as long as there is no room for a look: all nodes may return at once. */
  private State expected(NodeState seen) {
    if (hasRecord()) {
      return !seen.life().isMarked() && lacks(seen) ? State.PENDING_RESTORE : State.CURRENT;
    }
    return seen.content().isEmpty() ? State.CURRENT : State.PENDING_CAPTURE;
  }

  // ---- how long it waits for us

  /** A look has found something to do. */
  void awaits(State what, long now) {
    found = what;
    turn().waitingSince = waitingSince(now);
  }

  /** A look has found nothing to do. */
  void upToDate() {
    found = State.CURRENT;
    refused = false;
    if (turn != null) {
      turn.waitingSince = 0;
    }
  }

  /** Another's to do; as far as can be told without a decision it is done. */
  void followed() {
    if (node != null && (node.withheld() != null || node.content().equals(recordContent()))) {
      upToDate();
    }
  }

  /** As its owner sees it; null where there is nothing that could stand in any way. */
  @Nullable State state() {
    boolean settled = knownPast().quiet();
    if (node == null && settled) {
      return hasReadable() ? State.AWAY : null;
    }
    if (hasRecord() && !hasReadable()) {
      return State.REFUSED;
    }
    if (!settled) {
      return refused ? State.REFUSED : State.PENDING_CAPTURE;
    }
    boolean stuck = found != State.CURRENT && (refused || lastTurn().restoreAfter != 0);
    return stuck ? State.REFUSED : found;
  }

  long waited(long now) {
    long since = waitingSince(now);
    for (Tombstone tombstone : knownPast().tombstones()) {
      since = tombstone.quiet() ? since : Math.min(since, tombstone.since());
    }
    return now - since;
  }

  /** Done: how long that took. What changed since it was sent waits from then on. */
  long endWait(long now) {
    long took = now - waitingSince(now);
    turn().waitingSince = turn().firstChange;
    return took;
  }

  private long waitingSince(long now) {
    long since = lastTurn().waitingSince;
    return since == 0 ? now : since;
  }

  /** By a list, which may show several writes as one: of none is known that it was a blind one. */
  void seeListed(NodeState seen, long now) {
    markedAt = 0;
    see(seen, now);
  }

  /** The same incarnation, later. */
  void see(NodeState shown, long now) {
    NodeState before = Objects.requireNonNull(node);
    NodeState seen = shared(shown.like(before));
    Knowledge known = Objects.requireNonNull(knowledge);
    boolean marked = Knowledge.marks(before, seen);
    NodeRecord record = marked || known.fresh() != null ? readable() : null;
    if (record != null) {
      known = known.confirm(record, before.uid());
    }
    if (marked) {
      markedAt = now;
    }
    Knowledge next =
        now - markedAt <= BLIND_WRITE_MILLIS
            ? known.seeAfterRestore(before, seen)
            : known.see(before, seen);
    knowledge = record == null ? next : next.confirm(record, seen.uid());
    if (marked && knowledge.fresh() == null) {
      // Whichever replica did it; a forged marker stays unproven and does not count.
      countRestore(seen.rv());
    }
    if (!before.content().equals(seen.content())) {
      turn().lastChange = now;
      turn().firstChange = turn().firstChange == 0 ? now : turn().firstChange;
      if (!marked && found == State.CURRENT) {
        awaits(State.PENDING_CAPTURE, now);
      }
    }
    calm &= before.looksLike(seen);
    node = seen;
    aliveRv = Math.max(aliveRv, seen.rv());
    if (turn != null && turn.awaitRv <= seen.rv()) {
      turn.awaitRv = 0;
    }
    if (lastTurn().untilNews) {
      news();
    }
  }

  /** Our patch made this revision: the watch may have shown it already. */
  void await(long rv, long until) {
    boolean shown = node != null && node.rv() >= rv;
    turn().awaitRv = shown ? 0 : rv;
    turn().awaitUntil = until;
  }

  /**
   * Ours is counted when it succeeds, in case somebody takes it out again at once.
   *
   * @param rv that it gave the node; 0 when it changed nothing, which must not go on for ever
   *     either
   */
  void countRestore(long rv) {
    if (rv == 0 || rv != countedRv) {
      NodeRecord record = readable();
      restoredContent = record == null ? Content.EMPTY : record.content();
      countedRv = rv;
      restores++;
    }
  }

  /**
   * The living incarnation is gone; {@code last} is its last state, at the revision that we know.
   */
  void bury(NodeState last, long asOf, long now) {
    if (node != null && node.life().isOf(last.life())) {
      see(last, now);
      tombstone(node, Objects.requireNonNull(knowledge), asOf, now);
      node = null;
      knowledge = null;
      if (turn != null) {
        turn.awaitRv = 0;
      }
      upToDate();
    } else if (!knownPast().has(last.uid())) {
      tombstone(last, Knowledge.found(last), asOf, now);
    }
    overtaken();
    news();
  }

  private void tombstone(NodeState last, Knowledge known, long asOf, long now) {
    past().add(new Tombstone(NodeView.tombstone(last, known), asOf, now, false));
  }

  /**
   * What is older than what we have is ignored. Something else at the same revision is of another
   * history (a restored etcd), and what is shown last is the present one.
   */
  void learn(Stored seen) {
    boolean old =
        seen.origin().rv() < knownPast().forgottenRv
            || seen.origin().rv() < recordRv()
            || (seen.origin().rv() == recordRv() && seen.equals(stored()));
    if (!old) {
      Stored before = stored();
      if (before != null && !seen.origin().uid().equals(before.origin().uid())) {
        // Another object under the name: the one that we knew was deleted, and that is not told
        // yet.
        loseRecord(before.origin().rv() + 1);
      }
      if (seen instanceof NodeRecord next) {
        promised(next.content());
      }
      store(
          seen instanceof NodeRecord record && record.guardsLostHistory()
              ? record.withoutGuard()
              : seen);
      recordNews();
    }
  }

  /** One that guards no lost history; where there was none before, it is not even opened. */
  void learn(PackedRecord seen) {
    if (seen.equals(packed)) {
      return; // listed again, and the same
    }
    if (hasRecord() || seen.rv() < knownPast().forgottenRv) {
      learn(seen.open(name));
    } else {
      promised(seen.content());
      packed = seen;
      recordNews();
    }
  }

  /** Something new to restore is no fight. */
  private void promised(Content content) {
    if (!content.equals(restoredContent)) {
      restores = 0;
      if (turn != null) {
        turn.restoreAfter = 0;
      }
    }
  }

  /** The record was deleted: what is older may not bring it back. */
  void forget(long rv) {
    loseRecord(rv);
    past().forgottenRv = Math.max(past().forgottenRv, rv);
    store(null);
    recordNews();
  }

  /**
   * With an empty one nothing was forgotten but what it had seen; lives that it had not seen yet,
   * and that had something to add, still count.
   */
  private void loseRecord(long rv) {
    NodeRecord record = readable();
    if (record != null && record.spent()) {
      past().dropQuiet();
      past().voidBefore(record.rv() + 1);
    } else {
      past().voidBefore(rv);
    }
  }

  private void recordNews() {
    calm = false;
    overtaken();
    if (turn != null) {
      turn.emptySince = 0;
      turn.doubtRecord = false;
    }
    if (lastTurn().untilNews) {
      news();
    }
  }

  private void overtaken() {
    if (turn != null) {
      turn.overtaken = true;
    }
  }

  private void news() {
    calm = false;
    if (turn != null) {
      turn.news();
    }
  }

  /** History was reset: what we remember of order no longer means anything. */
  void resetHistory() {
    past().dropAll();
    past().forgottenRv = 0;
    aliveRv = 0;
    if (turn != null) {
      turn.recordAsOf = 0;
      turn.awaitRv = 0;
    }
    node = null;
    knowledge = null;
    upToDate();
    news();
  }

  /** Likewise of the record: what the list shows counts, although its revision is lower. */
  void resetRecord() {
    store(null);
    past().forgottenRv = 0;
    calm = false;
  }

  void waitUntil(long at, Wait kind) {
    turn().notBefore = at;
    turn().untilNews = kind == Wait.OR_NEWS;
  }

  /** Whether news end a wait. */
  enum Wait {
    OR_NEWS,
    FULLY
  }
}
