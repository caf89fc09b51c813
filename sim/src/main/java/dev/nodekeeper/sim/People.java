package dev.nodekeeper.sim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Taint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** People, kubelets and other controllers: all that happens to nodes and records but us. */
final class People {
  /** What people write into records of living nodes; on nodes they leave it alone. */
  private static final Key BY_HAND = Key.label("by-hand.example/x");

  private static final Key TEAM = Key.label("team");
  private static final Key TAINT = Key.taint("dedicated", "NoSchedule");
  private static final Key RESERVED = Key.label("node-role.kubernetes.io/gpu");

  /** What a person taints with kubectl, blindly. */
  private static final Key BLIND = Key.taint("maintenance", "NoSchedule");

  static final List<Key> ALIEN =
      List.of(
          Key.label("kubernetes.io/os"),
          Key.taint("node.kubernetes.io/unreachable", "NoSchedule"),
          Key.annotation("csi.volume.kubernetes.io/nodeid"));

  private final Plan plan;
  private final ApiServer server;
  private final Promises promises;
  private final Set<Fault> happened;
  private final @Nullable Story story;
  private final List<Key> keys = new ArrayList<>(List.of(TEAM, TAINT));
  private int values;

  private SplittableRandom random = new SplittableRandom(0);

  /** The taints as somebody saw them who will write the whole list. */
  private final Map<String, NodeState> blind = new HashMap<>();

  /** The data of broken records, for the repair. */
  private final Map<String, Map<String, String>> repairs = new HashMap<>();

  /** Markers that kubelets have seen, with their lists. */
  private final List<NodeState> markers = new ArrayList<>();

  People(
      Plan plan, ApiServer server, Promises promises, Set<Fault> happened, @Nullable Story story) {
    this.plan = plan;
    this.server = server;
    this.promises = promises;
    this.happened = happened;
    this.story = story;
    if (plan.policy().keep().contains(Kind.CORDON)) {
      keys.add(Key.annotation("note"));
      keys.add(Key.CORDON);
    }
    if (plan.has(Fault.OTHER_MACHINE)) {
      keys.add(RESERVED);
    }
  }

  void act(String name, SplittableRandom dice) {
    random = dice;
    ObjectNode node = server.node(name);
    int what = random.nextInt(24);
    if (node == null) {
      switch (what) {
        case 0, 1, 2 -> handEdit(name, any(keys));
        case 3 -> alien(name);
        case 4, 5 -> forget(name);
        case 6, 7 -> breakOrRepair(name);
        default -> register(name);
      }
      return;
    }
    NodeState state = Objects.requireNonNull(server.state(name));
    if (state.marker() != null) {
      markers.add(state);
    }
    switch (what) {
      case 0, 1, 2, 3 -> delete(name);
      case 4 -> terminate(name);
      case 5, 6 -> {
        tell("heartbeat " + name);
        heartbeat(name, random);
      }
      case 7, 8 -> {
        if (!state.terminating()) {
          handEdit(name, BY_HAND);
        }
      }
      case 9 -> strip(name, state);
      case 10 -> forge(name);
      case 11, 12 -> blindTaint(name, state);
      case 13 -> breakOrRepair(name);
      case 14 -> forget(name);
      case 15 -> machine(name, state);
      default -> edit(name, state);
    }
  }

  /** At the end what is on its way out is gone, and what is broken is mended, mostly. */
  void finish(String name) {
    NodeState state = server.state(name);
    if (state != null && state.terminating()) {
      tell(name + " is gone at last");
      delete(name);
    }
    Map<String, String> repair = repairs.remove(name);
    if (repair != null && plan.seed() % 4 != 0) {
      repair(name, repair);
    }
  }

  // ---- nodes

  private void register(String name) {
    Expected expected = promises.of(name);
    boolean label = plan.has(Fault.KUBELET_LABEL) && chance(70);
    Expected.Word taint = expected.words.get(TAINT);
    boolean weak =
        plan.has(Fault.KUBELET_TAINT) && taint != null && taint.value != null && chance(50);
    if (weak && taint != null && !taint.durable) {
      expected.excuse(TAINT, "weak", Limit.KUBELET_FIRST);
    }
    boolean forged = plan.has(Fault.MARKER_FORGED) && chance(markers.isEmpty() ? 10 : 60);
    String machine =
        !plan.has(Fault.OTHER_MACHINE) ? "" : chance(25) ? "" : chance(70) ? "m-a" : "m-b";
    NodeState state =
        server.create(
            name,
            n -> {
              n.label("kubernetes.io/hostname", name);
              n.taint("node.kubernetes.io/not-ready", "", "NoSchedule", null);
              if (label) {
                n.label(Promises.KUBELET.name(), "k");
              }
              if (weak) {
                n.taint(TAINT.name(), "weak", TAINT.effect(), null);
              }
              if (forged) {
                forgery(n);
              }
              if (!machine.isEmpty()) {
                n.machine(machine);
              }
            });
    expected.registered(state);
    happened(label, Fault.KUBELET_LABEL);
    happened(weak, Fault.KUBELET_TAINT);
    happened(forged, Fault.MARKER_FORGED);
    happened(plan.has(Fault.OTHER_MACHINE), Fault.OTHER_MACHINE);
    tell(
        name
            + " registers as "
            + state.uid()
            + "@"
            + state.rv()
            + " "
            + state.content()
            + (forged ? " with " + state.marker() : "")
            + (machine.isEmpty() ? "" : " on " + machine));
  }

  private void machine(String name, NodeState state) {
    if (plan.has(Fault.OTHER_MACHINE) && state.identity().providerId().isEmpty()) {
      tell("the cloud says that " + name + " is m-a");
      server.change(name, n -> n.machine("m-a"));
    }
  }

  private void delete(String name) {
    server.delete(name);
    blind.remove(name);
    tell("delete " + name + " @" + server.rv());
    promises.of(name).ended(server.rv(), server.millis);
  }

  private void terminate(String name) {
    if (plan.has(Fault.TERMINATING)) {
      happened.add(Fault.TERMINATING);
      tell("delete " + name + ", slowly");
      server.change(name, NodeJson::terminating);
    }
  }

  private void edit(String name, NodeState state) {
    Key key = any(keys);
    String now = state.content().get(key);
    String value = now != null && chance(50) ? null : newValue(key);
    if (!Objects.equals(now, value)) {
      server.change(name, n -> set(n, key, value));
      promises.of(name).edited(key, value, server.rv());
      tell("edit " + name + ": " + key + " = " + value + " @" + server.rv());
    }
  }

  private String newValue(Key key) {
    return key.kind() == Kind.CORDON ? "true" : "v" + ++values;
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
  void heartbeat(String name, SplittableRandom dice) {
    boolean unreachable = dice.nextBoolean();
    int second = 10 + dice.nextInt(50);
    server.change(
        name,
        n -> {
          n.annotation("csi.volume.kubernetes.io/nodeid", "b" + ++values);
          n.taint(
              "node.kubernetes.io/unreachable",
              unreachable ? "" : null,
              "NoExecute",
              "2026-01-01T00:00:" + second + "Z");
        });
  }

  private void strip(String name, NodeState state) {
    if (plan.has(Fault.MARKER_STRIPPED) && state.marker() != null) {
      happened.add(Fault.MARKER_STRIPPED);
      tell("strips the marker off " + name);
      server.change(name, n -> n.annotation(NodeState.MARKER, null));
      promises.of(name).strippedAt = server.rv();
    }
  }

  private void forge(String name) {
    if (plan.has(Fault.MARKER_FORGED)) {
      happened.add(Fault.MARKER_FORGED);
      server.change(name, this::forgery);
      tell(
          "the kubelet of "
              + name
              + " writes "
              + Objects.requireNonNull(server.state(name)).marker());
    }
  }

  private void forgery(NodeJson node) {
    if (markers.isEmpty() || chance(25)) {
      String mac = "A".repeat(42) + random.nextInt(10);
      node.annotation(NodeState.MARKER, random.nextInt(8) + "." + mac);
    } else {
      NodeState seen = chance(60) ? markers.getLast() : any(markers);
      node.annotation(NodeState.MARKER, seen.marker());
      node.annotation(NodeState.WITHHELD, seen.withheld());
    }
  }

  /** Reads first, writes the next time. */
  private void blindTaint(String name, NodeState state) {
    if (!plan.has(Fault.BLIND_TAINTS)) {
      return;
    }
    NodeState read = blind.remove(name);
    if (read == null) {
      blind.put(name, state);
      return;
    }
    happened.add(Fault.BLIND_TAINTS);
    String value = newValue(BLIND);
    List<Taint> list = new ArrayList<>(read.taints());
    list.removeIf(t -> t.id().equals(BLIND));
    list.add(new Taint(BLIND.name(), value, BLIND.effect()));
    server.change(name, n -> n.taints(list));
    NodeState after = Objects.requireNonNull(server.state(name));
    Expected expected = promises.of(name);
    for (Key key : state.content().changed(after.content())) {
      String now = after.content().get(key);
      if (key.equals(BLIND)) {
        expected.edited(key, now, server.rv());
      } else {
        Expected.Word word = expected.words.get(key);
        expected.edits.remove(key);
        if (word != null && word.excuse == null && !Objects.equals(word.value, now)) {
          word.excuse = Limit.BLIND_WRITE;
        }
      }
    }
    tell("kubectl taint " + name + " writes the whole list: " + list + " @" + server.rv());
  }

  // ---- records

  private void handEdit(String name, Key key) {
    Stored stored = server.stored(name).orElse(null);
    if (!plan.has(Fault.HAND_EDIT)
        || stored instanceof Stored.Unreadable
        || (stored == null && server.node(name) != null)) {
      return;
    }
    happened.add(Fault.HAND_EDIT);
    NodeRecord record = stored == null ? NodeRecord.none(name) : (NodeRecord) stored;
    boolean there = record.content().get(key) != null;
    String value = there && (key.kind() == Kind.CORDON || chance(50)) ? null : newValue(key);
    Expected expected = promises.of(name);
    if (stored != null && record.edited()) {
      expected.twoHandEdits();
    } else {
      expected.handEdits.clear();
    }
    write(name, record, key, value);
    expected.wrote(key, value, server.rv());
    if (stored != null && record.edited() && Objects.equals(value, written(record, key))) {
      expected.undoneByHand(key);
    }
    expected.handEdits.put(key, server.rv());
    NodeState state = server.state(name);
    if (state != null && "weak".equals(state.content().get(key))) {
      expected.excuse(key, "weak", Limit.KUBELET_FIRST);
    }
  }

  private static @Nullable String written(NodeRecord record, Key key) {
    return record.current() == null ? null : record.current().content().get(key);
  }

  /** What no node may get from us. */
  private void alien(String name) {
    if (plan.has(Fault.ALIEN_KEYS)
        && server.stored(name).orElse(null) instanceof NodeRecord record
        && !record.edited()) {
      happened.add(Fault.ALIEN_KEYS);
      write(name, record, any(ALIEN), "alien");
    }
  }

  private void write(String name, NodeRecord record, Key key, @Nullable String value) {
    SortedMap<Key, String> content = record.content().toMap();
    if (value == null) {
      content.remove(key);
    } else {
      content.put(key, value);
    }
    ApiServer.ConfigMap map = server.record(name);
    Map<String, String> data = map == null ? new TreeMap<>() : new TreeMap<>(map.data());
    data.put(RecordCodec.RECORD, HandWritten.record(name, Content.of(content)));
    server.writeRecord(name, data);
    tell("by hand, record of " + name + ": " + key + " = " + value + " @" + server.rv());
  }

  private void forget(String name) {
    Stored stored = server.stored(name).orElse(null);
    // With an empty one there is nothing that a person could mean to forget.
    boolean something =
        stored instanceof Stored.Unreadable
            || (stored instanceof NodeRecord record && !record.content().isEmpty());
    if (plan.has(Fault.FORGET) && something) {
      happened.add(Fault.FORGET);
      server.deleteRecord(name);
      repairs.remove(name);
      promises.of(name).forgotten(server.state(name), server.rv());
      tell("forget " + name + " @" + server.rv());
    }
  }

  private void breakOrRepair(String name) {
    Map<String, String> repair = repairs.remove(name);
    ApiServer.ConfigMap map = server.record(name);
    if (repair != null) {
      repair(name, repair);
    } else if (plan.has(Fault.BROKEN_RECORD) && map != null) {
      happened.add(Fault.BROKEN_RECORD);
      repairs.put(name, map.data());
      server.writeRecord(name, broken(name, map.data()));
      tell("breaks the record of " + name + " @" + server.rv());
    }
  }

  private void repair(String name, Map<String, String> data) {
    // An edit that nobody has taken up yet is as new as this now.
    promises.of(name).twoHandEdits();
    server.writeRecord(name, data);
    tell("repairs the record of " + name + " @" + server.rv());
  }

  private Map<String, String> broken(String name, Map<String, String> data) {
    Map<String, String> broken = new TreeMap<>(data);
    switch (random.nextInt(4)) {
      case 0 -> broken.put(RecordCodec.RECORD, "{\"labels\": {\"team\": ");
      case 1 -> broken.put(RecordCodec.RECORD, HandWritten.record(name + "-2", Content.EMPTY));
      case 2 -> broken.put(RecordCodec.STATE, "{\"schema\": 99}");
      default -> broken.put(RecordCodec.STATE, "[]");
    }
    return broken;
  }

  // ----

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private void happened(boolean really, Fault fault) {
    if (really) {
      happened.add(fault);
    }
  }

  private void tell(String what) {
    if (story != null) {
      story.tell("-", what);
    }
  }

  /** For changes that only the API server's backup knows. */
  void restored() {
    blind.clear();
    repairs.clear();
    // A stated limit: a marker of the lost history is true, and its restore never happened.
    markers.removeIf(seen -> seen.rv() > server.rv());
  }
}
