package dev.nodekeeper.sim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.codec.Marker;
import dev.nodekeeper.core.codec.RestorePatch;
import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Effect.Purpose;
import dev.nodekeeper.core.keep.Role;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Version;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.core.policy.Rules;
import dev.nodekeeper.sim.Expected.Word;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What people may expect of us, kept beside the world: every invariant is checked here. */
final class Promises implements ApiServer.Audit {
  /** What a kubelet puts on the node itself; nobody else touches it. */
  static final Key KUBELET = Key.label("kubelet.example/pool");

  /** Whoever learns the end of a life later than this may find its record cleaned up. */
  private static final long EMPTY_GRACE_MILLIS = 60_000;

  /** For so long those who saw the end of a life can tell that what another writes of it is old. */
  private static final long LINGER_MILLIS = 420_000;

  private final Policy policy;
  private final List<Replica> replicas;
  private final Map<String, Expected> names = new TreeMap<>();
  private final Map<String, Integer> restores = new HashMap<>();

  /** How often a record was written only to say that its node is away, or back. */
  int absencesSaid;

  private final Set<String> nonces = new HashSet<>();
  private ApiServer server;
  private Replica.@Nullable Pending pending;

  /** Limits without which a promise would have been broken. */
  final Set<Limit> excused = EnumSet.noneOf(Limit.class);

  /** How often a replica started. */
  int starts;

  @SuppressWarnings("NullAway.Init") // the two need each other
  Promises(Policy policy, List<Replica> replicas) {
    this.policy = policy;
    this.replicas = replicas;
  }

  void watch(ApiServer watched) {
    server = watched;
  }

  Expected of(String name) {
    return names.computeIfAbsent(name, _ -> new Expected());
  }

  Map<String, Expected> backup() {
    Map<String, Expected> copy = new TreeMap<>();
    names.forEach((name, expected) -> copy.put(name, expected.copy()));
    return copy;
  }

  void restore(Map<String, Expected> backup) {
    names.clear();
    backup.forEach((name, expected) -> names.put(name, expected.copy()));
  }

  // ---- after every request of ours

  @Override
  public void sent(Replica.Pending request) {
    pending = request;
    boolean unreadable = request.record() instanceof Stored.Unreadable;
    switch (request.request()) {
      case Effect.CreateRecord _ ->
          check(
              request.record() == null,
              Invariant.I15,
              "a record is created that was there, and nobody said it was gone");
      case Effect.PatchNode _, Effect.UpdateRecord _, Effect.DeleteRecord _ ->
          check(!unreadable, Invariant.I13, "a request follows from an unreadable record");
      case Effect.ReadNode _, Effect.ReadRecord _ -> {}
    }
  }

  @Override
  public void patched(Effect.PatchNode patch, ObjectNode before, ObjectNode after) {
    Expected expected = of(patch.node());
    Replica sender = sender();
    Content had = NodeJson.everything(before);
    Content has = NodeJson.everything(after);
    Set<Key> changed = had.changed(has);
    String marker = NodeJson.annotationOf(after, NodeState.MARKER);
    boolean taintsOnly = patch.purpose() == Purpose.TAINTS_FIRST;
    check(
        taintsOnly
            ? changed.stream().allMatch(key -> key.kind() == Kind.TAINT)
                && Objects.equals(marker, NodeJson.annotationOf(before, NodeState.MARKER))
            : marker != null,
        Invariant.I4,
        "a restore without a marker, or more than taints first: " + patch.body());
    for (Key key : changed) {
      check(!ofTheMachine(key), Invariant.I12, "restored what belongs to the machine: " + key);
      check(sender.policy.keeps(key), Invariant.I11, "a foreign key was changed: " + key);
      overwritten(expected, sender, patch, key, has.get(key));
    }
    check(
        foreignTaints(before).equals(foreignTaints(after)),
        Invariant.I11,
        "a foreign taint (or its time) changed");
    check(
        !NodeJson.terminating(before) || NodeJson.marked(before),
        Invariant.I11,
        "restored onto a dying node");
    int times = restores.merge(patch.uid() + marker, 1, Integer::sum);
    check(times <= 3 * (replicas.size() + starts), Invariant.I7, "restored " + times + " times");
    stripped(expected, patch.node(), has);
    if (taintsOnly) {
      changed.forEach(key -> expected.cameFirst.put(key, String.valueOf(has.get(key))));
    } else {
      vouchedUnseen(expected, sender, patch.node(), has);
      String older = NodeJson.annotationOf(before, NodeState.MARKER);
      if (restores.containsKey(patch.uid() + older) && !vouched(patch, older, before)) {
        // What the older restore brought, nothing explains any more: it stands.
        had.keys().forEach(key -> expected.excuse(key, has.get(key), Limit.VERSIONS_GONE));
      }
    }
    if (!taintsOnly && !vouched(patch, marker, after)) {
      Limit limit = expected.forgottenAt > 0 ? Limit.FORGET_ON_ITS_WAY : Limit.VERSIONS_GONE;
      changed.forEach(key -> expected.excuse(key, has.get(key), limit));
    }
  }

  private void stripped(Expected expected, String name, Content written) {
    String life = sender().unmarked.get(name);
    if (life != null) {
      expected.excuseStripped(life, written);
    }
  }

  /** The marker says "as in the record", also of keys that the sender may not give. */
  private void vouchedUnseen(Expected expected, Replica sender, String name, Content has) {
    NodeState node = Objects.requireNonNull(server.state(name));
    if (!(server.stored(name).orElse(null) instanceof NodeRecord record)) {
      return;
    }
    expected.words.forEach(
        (key, word) -> {
          String value = has.get(key);
          if (value == null
              && doubtful(key, record, node)
              && sender.cannotKnow(name, key, word.rv)) {
            // It looks as if it had never been there: withheld, not removed.
            expected.excuse(key, record.content().get(key), Limit.HIDDEN);
          }
          if (value == null || value.equals(record.content().get(key))) {
            return;
          }
          if (value.equals(expected.cameFirst.get(key))) {
            expected.excuse(key, value, Limit.TAINTS_FIRST);
          } else if (!sender.policy.keeps(key)) {
            expected.excuse(key, value, Limit.NARROW);
          } else if (doubtful(key, record, node)) {
            expected.excuse(key, value, Limit.DOUBTED_VALUE);
          }
        });
  }

  private boolean vouched(Effect.PatchNode patch, @Nullable String marker, ObjectNode node) {
    String withheld = NodeJson.annotationOf(node, NodeState.WITHHELD);
    return server.stored(patch.node()).orElse(null) instanceof NodeRecord record
        && Marker.check(record, patch.uid(), marker, withheld) != null;
  }

  private static void overwritten(
      Expected expected, Replica sender, Effect.PatchNode patch, Key key, @Nullable String value) {
    Expected.Edit edit = expected.edits.get(key);
    if (edit == null || Objects.equals(edit.value(), value)) {
      return;
    }
    boolean exact = patch.contentType().equals(RestorePatch.MERGE);
    if (!exact && edit.rv() > patch.rv()) {
      expected.excuse(key, value, Limit.TESTED_PATCH);
    } else if (sender.cannotKnow(patch.node(), key, edit.rv())) {
      expected.excuse(key, value, Limit.HIDDEN);
    } else {
      check(false, Invariant.I6, "overwrote what a person did in this life: " + key);
    }
    expected.edits.remove(key);
  }

  @Override
  public boolean byKeeper() {
    return true;
  }

  @Override
  public void recorded(
      Effect.Request request, @Nullable Stored before, @Nullable NodeRecord after) {
    check(
        !(before instanceof Stored.Unreadable),
        Invariant.I13,
        "an unreadable record was overwritten");
    NodeRecord old = before instanceof NodeRecord readable ? readable : null;
    if (after == null) {
      check(
          old != null && old.content().isEmpty(),
          Invariant.I11,
          "a record with content was deleted");
      Expected cleaned = of(request.node());
      cleaned.cleanedUpTo = Math.max(cleaned.cleanedUpTo, Objects.requireNonNull(old).rv());
      if (sender().now() - server.recordedAt(old.origin().rv()) >= EMPTY_GRACE_MILLIS) {
        cleaned.excuseCleanedUp(old);
      }
      return;
    }
    Version version = Objects.requireNonNull(after.current());
    if (request instanceof Effect.UpdateRecord(_, _, _, Purpose purpose)
        && (purpose == Purpose.AWAY || purpose == Purpose.PRESENT)) {
      check(
          old != null
              && old.content().equals(after.content())
              && old.generation() == version.generation()
              && version.nonce().equals(Objects.requireNonNull(old.current()).nonce()),
          Invariant.AWAY,
          "was " + old + ", is " + after);
      absencesSaid++;
      return;
    }
    check(
        version.vouches() && nonces.add(version.nonce()),
        Invariant.S3,
        "no new nonce: " + version.nonce());
    Expected expected = of(request.node());
    boolean knewOfForget = Objects.requireNonNull(pending).deletionKnown() >= expected.forgottenAt;
    if (request instanceof Effect.CreateRecord && expected.undoesForget(after)) {
      check(
          !knewOfForget, Invariant.I1, "forgotten, and brought back by an older state, which knew");
      expected.excuseForgotten();
    } else if (!knewOfForget) {
      expected.words.forEach(
          (key, word) -> {
            if (word.rv == expected.forgottenAt) {
              expected.excuse(key, after.content().get(key), Limit.FORGET_ON_ITS_WAY);
            }
          });
    }
    if (request instanceof Effect.CreateRecord && after.rv() < expected.cleanedUpTo) {
      // The grace time is longer than a request may be on its way, but not than a history's.
      Set<Key> keys = Content.EMPTY.changed(after.content());
      keys.forEach(key -> expected.excuse(key, after.content().get(key), Limit.CLEANED_UP));
    }
    if (request instanceof Effect.UpdateRecord update && update.purpose() == Purpose.HAND_EDIT) {
      expected.handEdits.clear();
    }
    stripped(expected, after.node(), after.content());
    expected.excuseLate(old, after, server.millis - LINGER_MILLIS);
    expected.words.forEach((key, word) -> word(expected, key, word, old, after));
    if (!version.uid().isEmpty()) {
      bound(old, after, version);
      expected.captured(version, sender().policy);
    }
  }

  private void word(
      Expected expected, Key key, Word word, @Nullable NodeRecord old, NodeRecord after) {
    String value = after.content().get(key);
    boolean same = Objects.equals(value, word.value);
    check(
        same || !word.durable || word.excuse != null,
        Invariant.I1,
        key + " was " + word.value + " in the record, people's last word; now it is " + value);
    boolean looked = sender().policy.keeps(key) && !sender().cannotKnow(after.node(), key, word.rv);
    word.durable |= same && expected.knows(old, after, key, word, looked);
  }

  private void bound(@Nullable NodeRecord old, NodeRecord after, Version version) {
    NodeState state = server.stateAt(version.uid(), version.rv());
    check(state != null, Invariant.I3, "no such state: " + version.uid() + "@" + version.rv());
    Content node = Objects.requireNonNull(state).content();
    Set<Key> keys = new TreeSet<>(after.content().keys());
    keys.addAll(node.keys());
    for (Key key : keys) {
      String now = after.content().get(key);
      boolean ours = sender().policy.keeps(key);
      boolean held = ours && node.get(key) == null && after.withheld().contains(key);
      String kept = old == null ? null : old.content().get(key);
      boolean flawed = now != null && Policy.flaw(key, now) != null;
      check(
          flawed || Objects.equals(now, ours && !held ? node.get(key) : kept),
          Invariant.I3,
          key + " = " + now + " was never on " + version.uid() + "@" + version.rv());
    }
  }

  private Replica sender() {
    return Objects.requireNonNull(pending).sender();
  }

  /** NB: not asked of the policy, which may be wrong. */
  private static boolean ofTheMachine(Key key) {
    return People.ALIEN.contains(key) || key.name().startsWith("node.kubernetes.io/");
  }

  private static List<?> foreignTaints(ObjectNode node) {
    return NodeJson.taints(node).stream().filter(t -> ofTheMachine(t.id())).toList();
  }

  // ---- what a list hides

  /** Called before a replica lists: what it will find unchanged it cannot know to be touched. */
  void listing(Replica replica) {
    names.forEach(
        (name, expected) -> {
          NodeState now = server.state(name);
          if (now == null) {
            replica.hidden.remove(name);
            return;
          }
          NodeState before = replica.views.get(name);
          boolean sameLife = before != null && before.uid().equals(now.uid());
          if (!sameLife) {
            replica.hidden.remove(name);
          }
          long from = before != null && sameLife ? before.rv() : 0;
          boolean knewMarker = before != null && sameLife && before.marker() != null;
          if (expected.strippedAt > from && !knewMarker) {
            replica.unmarked.put(name, now.uid());
          }
          Version base = base(name, now);
          expected.edits.forEach(
              (key, edit) -> {
                String value = now.content().get(key);
                boolean looksUnchanged =
                    before != null && sameLife
                        ? Objects.equals(value, before.content().get(key))
                        : looksUnchanged(key, value, base) || looksWithheld(name, key, now);
                if (edit.rv() > from && looksUnchanged) {
                  replica.hidden.computeIfAbsent(name, _ -> new HashMap<>()).put(key, edit.rv());
                }
              });
        });
  }

  /** To one who finds it: what is absent, what the base says, a taint that the base lacks. */
  private static boolean looksUnchanged(Key key, @Nullable String value, @Nullable Version base) {
    String was = base == null ? null : base.content().get(key);
    boolean perhapsTheKubelets = key.kind() == Kind.TAINT && was == null;
    return Objects.equals(value, was)
        || perhapsTheKubelets
        || (base == null && key.kind() == Kind.CORDON);
  }

  /** The marker, or the record, says that we left it out. */
  private boolean looksWithheld(String name, Key key, NodeState node) {
    if (node.content().get(key) != null
        || !(server.stored(name).orElse(null) instanceof NodeRecord record)) {
      return false;
    }
    boolean marked = Marker.check(record, node.uid(), node.marker(), node.withheld()) != null;
    return (marked && Marker.keys(node.withheld(), record.content().keys()).contains(key))
        || (record.uid().equals(node.uid()) && record.withheld().contains(key));
  }

  private @Nullable Version base(String name, NodeState node) {
    if (!(server.stored(name).orElse(null) instanceof NodeRecord record)) {
      return null;
    }
    Version marked = Marker.check(record, node.uid(), node.marker(), node.withheld());
    return record
        .history()
        .filter(v -> v.equals(marked) || v.uid().equals(node.uid()))
        .findFirst()
        .orElse(null);
  }

  // ---- at rest

  /** The state of the world is what people wanted last. */
  void atRest() {
    names.forEach(
        (name, expected) -> {
          Stored stored = server.stored(name).orElse(null);
          if (!(stored instanceof Stored.Unreadable)) {
            atRest(name, expected, (NodeRecord) stored);
          }
        });
  }

  private void atRest(String name, Expected expected, @Nullable NodeRecord record) {
    Content content = record == null ? Content.EMPTY : record.content();
    NodeState node = server.state(name);
    if (node != null) {
      for (Key key : node.content().changed(content)) {
        boolean withheld =
            record != null
                && node.content().get(key) == null
                && (!policy.keeps(key) || doubtful(key, record, node));
        check(
            withheld,
            Invariant.I7,
            name + ": node " + node.content() + " but record " + content + ", by " + key);
      }
    }
    expected.words.forEach(
        (key, word) -> {
          String value = content.get(key);
          if (Objects.equals(value, word.value)) {
            return;
          }
          if (word.excuse != null) {
            excused.add(word.excuse);
          } else if (!witnessed(key, word, node, _ -> true)) {
            excused.add(Limit.UNSEEN);
          } else if (!witnessed(key, word, node, r -> r.role != Role.RESTORE)) {
            excused.add(Limit.ONLOOKERS);
          } else if (node != null && looksWithheld(name, key, node) && unknown(name, key, word)) {
            excused.add(Limit.HIDDEN);
          } else {
            check(
                false,
                Invariant.I2,
                name + ": wanted " + key + " = " + word.value + " but the record says " + value);
          }
        });
    for (Key key : content.keys()) {
      check(
          expected.words.containsKey(key) || key.equals(KUBELET) || !policy.keeps(key),
          Invariant.I2,
          name + ": nobody ever wanted " + key);
    }
  }

  private boolean witnessed(
      Key key, Word word, @Nullable NodeState node, Predicate<Replica> whose) {
    return word.uid.isEmpty()
        || word.durable
        || (node != null && node.uid().equals(word.uid))
        || replicas.stream()
            .anyMatch(
                r ->
                    whose.test(r)
                        && r.policy.keeps(key)
                        && r.completeSince < word.since
                        && r.lastSightOf(word.uid) >= word.rv);
  }

  /** Hidden from all who keep the key: that another was shown the change does not help. */
  private boolean unknown(String name, Key key, Word word) {
    return replicas.stream()
        .filter(r -> r.policy.keeps(key))
        .allMatch(r -> r.cannotKnow(name, key, word.rv));
  }

  private boolean doubtful(Key key, NodeRecord record, NodeState node) {
    return key.kind() == Kind.LABEL
        && Rules.reserved(key.name())
        && policy.identity().doubts(record.identity(), node.identity());
  }

  static void check(boolean holds, Invariant invariant, String otherwise) {
    if (!holds) {
      throw new Violation(invariant, otherwise, null);
    }
  }
}
