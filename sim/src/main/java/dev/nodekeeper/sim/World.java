package dev.nodekeeper.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.codec.Marker;
import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.codec.RestorePatch;
import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.Moment;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.policy.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One history: people and kubelets act, replicas lag, crash and lose replies; all from one seed.
 */
final class World implements ApiServer.Audit {
  /** What a kubelet puts on the node itself; nobody else touches it. */
  private static final Key KUBELET = Key.label("kubelet.example/pool");

  /** What people write into records of living nodes; on nodes they leave it alone. */
  private static final Key BY_HAND = Key.label("by-hand.example/x");

  private static final Key TEAM = Key.label("team");
  private static final Key TAINT = Key.taint("dedicated", "NoSchedule");

  /** Each kind of thing that a history may contain. */
  record Plan(
      Policy policy,
      int replicas,
      List<String> names,
      int steps,
      boolean losses,
      boolean restarts,
      boolean handEdits,
      boolean forget,
      boolean kubeletLabels) {}

  private final Plan plan;
  private final SplittableRandom random;
  private final List<Key> keys;
  private final ApiServer server;
  private final List<Replica> replicas = new ArrayList<>();
  private final List<String> log = new ArrayList<>();
  private long millis = 1_000_000;
  private int nonces;
  private int values;

  // What people want, and what they may not expect (the known limits of the design).
  private final Map<String, SortedMap<Key, String>> wanted = new TreeMap<>();
  private final Set<String> limits = new HashSet<>();
  private final Map<String, Map<Key, Long>> editedInThisLife = new HashMap<>();
  private final Map<String, Integer> restores = new HashMap<>();
  private final Set<String> handEdited = new HashSet<>();
  private final Map<String, Long> lastForgotten = new HashMap<>();

  World(Plan plan, long seed) {
    this.plan = plan;
    this.random = new SplittableRandom(seed);
    boolean all = plan.policy().keep().contains(Kind.CORDON);
    this.keys =
        all ? List.of(TEAM, TAINT, Key.annotation("note"), Key.CORDON) : List.of(TEAM, TAINT);
    this.server = new ApiServer(plan.policy(), this);
    for (int i = 0; i < plan.replicas(); i++) {
      String name = "replica-" + (char) ('a' + i);
      replicas.add(new Replica(name, server, plan.policy(), this::moment, log::add));
    }
  }

  String history() {
    return String.join("\n", log);
  }

  private Moment moment() {
    return new Moment(millis, () -> String.format("nonce-%020d", ++nonces));
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  // ---- running

  void run() {
    for (int i = 0; i < plan.steps(); i++) {
      if (chance(30)) {
        person(any(plan.names()));
      } else {
        step(any(replicas));
      }
    }
    for (String name : plan.names()) {
      ObjectNode node = server.node(name);
      if (node != null && NodeJson.terminating(node)) {
        log.add("-- " + name + " is gone at last");
        server.delete(name);
      }
    }
    settle();
  }

  private void step(Replica replica) {
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> replica.nodeEvent();
      case 3, 4 -> replica.recordEvent();
      case 5, 6 -> replica.send(wire());
      case 7, 8 -> replica.reply();
      case 9 -> {
        millis += chance(15) ? random.nextInt(65_000) : random.nextInt(150);
        replicas.forEach(Replica::tick);
      }
      case 10 -> replica.bookmark();
      default -> {
        if (plan.restarts() && chance(25)) {
          if (chance(60)) {
            replica.restart();
          } else {
            replica.watchCut();
          }
        }
      }
    }
  }

  private Replica.Wire wire() {
    if (!plan.losses() || chance(80)) {
      return Replica.Wire.FINE;
    }
    return chance(60) ? Replica.Wire.REPLY_LOST : Replica.Wire.REQUEST_LOST;
  }

  /** No faults any more: all is delivered, and time passes until nothing is left to do. */
  void settle() {
    log.add("---- settle");
    int requests = 0;
    for (int quiet = 0; quiet < 25; ) {
      boolean any = false;
      for (Replica replica : replicas) {
        while (replica.nodeEvent() | replica.recordEvent()) {
          any = true;
        }
        replica.bookmark();
        while (replica.send(Replica.Wire.FINE)) {
          any = true;
          requests++;
        }
        while (replica.reply()) {
          any = true;
        }
      }
      check(requests < 300, "no convergence");
      quiet = any ? 0 : quiet + 1;
      millis += any ? 40 : 30_000;
      replicas.forEach(Replica::tick);
    }
  }

  // ---- people and kubelets

  private void person(String name) {
    ObjectNode node = server.node(name);
    int what = random.nextInt(20);
    if (node == null) {
      if (what < 10) {
        register(name);
      } else if (what < 14) {
        handEdit(name, any(keys));
      } else if (what < 16) {
        forget(name);
      }
    } else if (what < 10) {
      edit(name, node);
    } else if (what < 14) {
      log.add("-- delete " + name);
      server.delete(name);
    } else if (what < 15) {
      log.add("-- delete " + name + ", slowly");
      server.change(name, NodeJson::terminating);
    } else if (what < 17) {
      log.add("-- heartbeat " + name);
      passing(name);
    } else if (!NodeJson.terminating(node)) {
      handEdit(name, BY_HAND);
    }
  }

  private void register(String name) {
    log.add("-- register " + name);
    boolean fromKubelet = plan.kubeletLabels() && chance(70);
    String uid =
        server
            .create(
                name,
                n -> {
                  n.label("kubernetes.io/hostname", name);
                  n.taint("node.kubernetes.io/not-ready", "", "NoSchedule", null);
                  if (fromKubelet) {
                    n.label(KUBELET.name(), "k");
                  }
                })
            .uid();
    editedInThisLife.put(name, new HashMap<>());
    log.add("   as " + uid);
  }

  private void edit(String name, ObjectNode node) {
    Key key = any(keys);
    String now = NodeJson.everything(node).get(key);
    String value = now != null && chance(50) ? null : newValue(key);
    if (Objects.equals(now, value)) {
      return;
    }
    log.add("-- edit " + name + " " + key + " = " + value);
    server.change(name, n -> set(n, key, value));
    want(name, key, value);
    edits(name).put(key, server.rv());
    boolean mayComeBack = value == null || key.kind() == Kind.TAINT;
    if (plan.restarts() && mayComeBack && !NodeJson.marked(node)) {
      limits.add(name); // the known limit: we were down between registration and restore
    }
  }

  private String newValue(Key key) {
    return key.kind() == Kind.CORDON ? "true" : "v" + ++values;
  }

  private void want(String name, Key key, @Nullable String value) {
    if (value == null) {
      wishes(name).remove(key);
    } else {
      wishes(name).put(key, value);
    }
  }

  private SortedMap<Key, String> wishes(String name) {
    return wanted.computeIfAbsent(name, _ -> new TreeMap<>());
  }

  /** With the revision of the last change. */
  private Map<Key, Long> edits(String name) {
    return editedInThisLife.computeIfAbsent(name, _ -> new HashMap<>());
  }

  private static void set(NodeJson node, Key key, @Nullable String value) {
    switch (key.kind()) {
      case LABEL -> node.label(key.name(), value);
      case TAINT -> node.taint(key.name(), value, key.effect(), null);
      case ANNOTATION -> node.annotation(key.name(), value);
      case CORDON -> node.cordon(value);
    }
  }

  /** Facts and passing taints come and go. */
  private void passing(String name) {
    server.change(
        name,
        n -> {
          n.annotation("csi.volume.kubernetes.io/nodeid", "b" + ++values);
          n.taint(
              "node.kubernetes.io/unreachable",
              chance(50) ? "" : null,
              "NoExecute",
              "2026-01-01T00:00:" + (10 + random.nextInt(50)) + "Z");
        });
  }

  private void handEdit(String name, Key key) {
    ApiServer.ConfigMap map = server.record(name);
    if (!plan.handEdits() || (map == null && server.node(name) != null)) {
      return;
    }
    NodeRecord record =
        map == null ? NodeRecord.none(name) : (NodeRecord) server.stored(name).orElseThrow();
    if (map != null && record.edited()) {
      limits.add(name); // two edits in one: which of their keys is the newer word is lost
    }
    SortedMap<Key, String> content = record.content().toMap();
    boolean there = content.containsKey(key);
    String value = there && (key.kind() == Kind.CORDON || chance(50)) ? null : newValue(key);
    if (value == null) {
      content.remove(key);
    } else {
      content.put(key, value);
    }
    log.add("-- by hand: record of " + name + " " + key + " = " + value);
    Map<String, String> data = map == null ? new TreeMap<>() : new TreeMap<>(map.data());
    data.put(RecordCodec.RECORD, HandWritten.record(name, Content.of(content)));
    server.writeRecord(name, data);
    want(name, key, value);
    handEdited.add(name);
  }

  private void forget(String name) {
    var map = server.record(name);
    // With an empty one there is nothing that a person could mean to forget.
    if (plan.forget()
        && map != null
        && RecordCodec.read(name, Stored.Origin.NONE, map.data()) instanceof NodeRecord record
        && !record.content().isEmpty()) {
      log.add("-- forget " + name);
      server.deleteRecord(name);
      lastForgotten.put(name, server.rv());
      wishes(name).clear();
    }
  }

  // ---- checks

  @Override
  public void sent(Replica.Pending pending) {
    long forgottenAt = lastForgotten.getOrDefault(pending.request().node(), 0L);
    if (pending.request() instanceof Effect.CreateRecord create
        && create.record().rv() < forgottenAt) {
      check(
          pending.deletionKnown() < forgottenAt,
          "a forgotten record is brought back by a state older than that, which was known");
      limits.add(create.node()); // sent before it knew: a create has no precondition
    }
  }

  @Override
  public void patched(Effect.PatchNode patch, ObjectNode before, ObjectNode after) {
    String name = patch.node();
    Set<Key> changed = NodeJson.everything(before).changed(NodeJson.everything(after));
    boolean exact = patch.contentType().equals(RestorePatch.MERGE);
    for (Key key : changed) {
      check(plan.policy().keeps(key), "a foreign key was changed: " + key);
      long editedAt = edits(name).getOrDefault(key, 0L);
      if (!exact && editedAt > patch.rv()) {
        limits.add(name); // set and unset while a tested patch was on its way: no test sees that
        edits(name).remove(key);
      } else {
        check(editedAt == 0 || limited(name), "overwrote what a person did in this life: " + key);
      }
    }
    check(
        foreignTaints(before).equals(foreignTaints(after)),
        "a foreign taint (or its time) changed");
    check(
        !exact || !NodeJson.terminating(before) || NodeJson.marked(before),
        "restored onto a dying node");
    // A new version of the record is a new reason; the same one again would be a fight.
    JsonNode annotations = after.path("metadata").path("annotations");
    String marker = annotations.path(NodeState.MARKER).asText();
    String withheld = annotations.path(NodeState.WITHHELD).asText("");
    int times = restores.merge(patch.uid() + marker, 1, Integer::sum);
    check(times <= 3 || handEdited.contains(name) || plan.restarts(), "restored too often");
    boolean fromPresentRecord =
        server.stored(name).orElse(null) instanceof NodeRecord record
            && Marker.check(record, patch.uid(), marker, withheld) != null;
    if (!fromPresentRecord) {
      limits.add(name); // forgotten (and made anew), but not yet delivered: allowed
      handEdited.add(name);
    }
  }

  private boolean limited(String name) {
    return plan.restarts() && limits.contains(name);
  }

  private List<?> foreignTaints(ObjectNode node) {
    return NodeJson.taints(node).stream().filter(t -> !plan.policy().keeps(t.id())).toList();
  }

  /** The state of the world is what people wanted last. */
  void checkAgainstWishes() {
    for (String name : plan.names()) {
      ObjectNode node = server.node(name);
      Content record =
          server.stored(name).map(r -> ((NodeRecord) r).content()).orElse(Content.EMPTY);
      if (node != null) {
        Content onNode = plan.policy().keeps(NodeJson.everything(node));
        check(onNode.equals(record), name + ": node " + onNode + " but record " + record);
      }
      boolean someoneSawAll = replicas.stream().anyMatch(r -> !r.lossy);
      if (someoneSawAll && !limits.contains(name)) {
        Content want = Content.of(wishes(name));
        Content byPeople = record.filter(key -> !key.equals(KUBELET));
        check(byPeople.equals(want), name + ": wanted " + want + " but record " + record);
      }
    }
  }

  /** What was delivered of the present life since the last list may be delivered again. */
  void checkReplays() {
    for (Replica replica : replicas) {
      for (Input input : List.copyOf(replica.delivered)) {
        if (ofThePresent(input)) {
          log.add("---- replay");
          check(replica.on(input).isEmpty(), "a replay had an effect: " + input);
        }
      }
    }
  }

  private boolean ofThePresent(Input input) {
    return switch (input) {
      case Input.NodeAdded(NodeState n) -> lives(n);
      case Input.NodeModified(NodeState n) -> lives(n);
      case Input.RecordSeen(_) -> true;
      default -> false;
    };
  }

  private boolean lives(NodeState seen) {
    ObjectNode node = server.node(seen.name());
    return node != null && NodeJson.uid(node).equals(seen.uid());
  }

  void checkQuiet() {
    long before = server.rv();
    for (Replica replica : replicas) {
      check(!replica.busy() && replica.counts().inFlight() == 0, "not idle");
    }
    millis += 7_200_000;
    settle();
    check(server.rv() == before, "converged, and yet it wrote");
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
