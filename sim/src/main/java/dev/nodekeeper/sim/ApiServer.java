package dev.nodekeeper.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.codec.RestorePatch;
import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.Outcome;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Taint;
import dev.nodekeeper.core.policy.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What matters of a kube-apiserver, as measured on a real one: one revision counter for nodes and
 * ConfigMaps, compare-and-swap, preconditions of patches, a log per kind that watches read from.
 */
final class ApiServer {
  /** Parsing costs most: of so many writes of ours one is read back and compared. */
  private static final int CODEC_SAMPLE = 8;

  private final Policy policy;
  private final Map<String, Held> nodes = new TreeMap<>();
  private final Map<String, ConfigMap> records = new TreeMap<>();
  private final Map<String, Stored> read = new HashMap<>();
  private final Audit audit;
  private long rv = 100;
  private long lostRv;
  private int uids;

  /** The time, for the age of events. */
  long millis;

  /** What a watch of nodes, or of records, shows, in order. */
  final List<Event> nodeLog = new ArrayList<>();

  final List<Event> recordLog = new ArrayList<>();

  /**
   * @param at the time of the commit
   */
  record Event(long rv, Input input, long at) {}

  record ConfigMap(String uid, long rv, Map<String, String> data, long awaySince) {
    Origin origin() {
      return new Origin(uid, rv, "").away(awaySince);
    }
  }

  /** Never changed once it is here: a change is made to a copy. */
  private record Held(ObjectNode json, NodeState state) {}

  /** All of it at one moment, as an etcd backup has it. */
  record Backup(Map<String, Held> nodes, Map<String, ConfigMap> records, long rv) {}

  /** Looks at our writes before they are committed. */
  interface Audit {
    void sent(Replica.Pending request);

    void patched(Effect.PatchNode patch, ObjectNode before, ObjectNode after);

    /** A record was written or (null) deleted by us. */
    default void recorded(
        Effect.Request request, @Nullable Stored before, @Nullable NodeRecord after) {}

    /** Whether requests come from a Keeper, so that their data is their record. */
    default boolean byKeeper() {
      return false;
    }
  }

  ApiServer(Policy policy, Audit audit) {
    this.policy = policy;
    this.audit = audit;
  }

  long rv() {
    return rv;
  }

  // ---- people and kubelets

  @Nullable ObjectNode node(String name) {
    Held held = nodes.get(name);
    return held == null ? null : held.json();
  }

  @Nullable NodeState state(String name) {
    Held held = nodes.get(name);
    return held == null ? null : held.state();
  }

  /** As it was at that revision. */
  @Nullable NodeState stateAt(String uid, long then) {
    for (Event event : nodeLog.reversed()) {
      NodeState state =
          switch (event.input()) {
            case Input.NodeAdded(NodeState node) -> node;
            case Input.NodeModified(NodeState node) -> node;
            case Input.NodeDeleted(NodeState node) -> node;
            default -> throw new AssertionError(event);
          };
      if (event.rv() == then && state.uid().equals(uid)) {
        return state;
      }
    }
    return null;
  }

  /** When that revision of a record was committed. */
  long recordedAt(long then) {
    return recordLog.reversed().stream()
        .filter(event -> event.rv() == then)
        .mapToLong(Event::at)
        .findFirst()
        .orElse(0);
  }

  @Nullable ConfigMap record(String name) {
    return records.get(name);
  }

  Optional<Stored> stored(String name) {
    ConfigMap map = records.get(name);
    return map == null ? Optional.empty() : Optional.of(stored(name, map));
  }

  Backup backup() {
    return new Backup(new TreeMap<>(nodes), new TreeMap<>(records), rv);
  }

  /** Revisions go back; uids do not come again. Every watch must list anew. */
  void restore(Backup backup) {
    nodes.clear();
    nodes.putAll(backup.nodes());
    records.clear();
    records.putAll(backup.records());
    read.clear();
    lostRv = Math.max(lostRv, rv);
    rv = backup.rv();
  }

  /** Others write, too, to things that we do not watch: the lost revisions are soon reached. */
  void othersWrite() {
    rv = Math.max(rv, lostRv);
  }

  NodeState create(String name, Consumer<NodeJson> as) {
    ObjectNode node = NodeJson.blank(name, "u" + ++uids);
    as.accept(new NodeJson(node));
    rv++;
    NodeState state = commit(name, node);
    nodeLog.add(new Event(rv, new Input.NodeAdded(state), millis));
    return state;
  }

  void change(String name, Consumer<NodeJson> how) {
    ObjectNode node = Objects.requireNonNull(node(name)).deepCopy();
    how.accept(new NodeJson(node));
    store(name, node);
  }

  void delete(String name) {
    NodeState last = Objects.requireNonNull(nodes.remove(name)).state();
    rv++;
    nodeLog.add(new Event(rv, new Input.NodeDeleted(NodeJson.at(last, rv)), millis));
  }

  void writeRecord(String name, Map<String, String> data) {
    ConfigMap old = records.get(name);
    String uid = old == null ? "cm" + ++uids : old.uid();
    put(name, new Origin(uid, 0, "").away(old == null ? 0 : old.awaySince()), data, null);
  }

  void deleteRecord(String name) {
    records.remove(name);
    read.remove(name);
    rv++;
    recordLog.add(new Event(rv, new Input.RecordDeleted(name, rv), millis));
  }

  // ---- lists

  List<NodeState> listNodes() {
    return nodes.values().stream().map(Held::state).toList();
  }

  List<Stored> listRecords() {
    List<Stored> all = new ArrayList<>();
    records.forEach((name, map) -> all.add(stored(name, map)));
    return all;
  }

  // ---- requests of ours

  void sent(Replica.Pending request) {
    audit.sent(request);
  }

  /** Performs it and gives the reply. */
  Input perform(Effect.Request request) {
    return switch (request) {
      case Effect.ReadNode get -> new Input.NodeRead(get, Optional.ofNullable(state(get.node())));
      case Effect.ReadRecord get -> new Input.RecordRead(get, stored(get.node()));
      case Effect.PatchNode patch -> new Input.Done(patch, patch(patch));
      case Effect.CreateRecord create ->
          new Input.Done(
              create,
              records.containsKey(create.node())
                  ? new Outcome.Conflict("409: already exists")
                  : write(
                      create, new Origin("cm" + ++uids, 0, ""), create.data(), create.record()));
      case Effect.UpdateRecord update -> {
        Outcome refused = precondition(update.node(), update.record().origin());
        Origin origin = update.record().origin();
        yield new Input.Done(
            update,
            refused != null ? refused : write(update, origin, update.data(), update.record()));
      }
      case Effect.DeleteRecord delete -> {
        Outcome refused = precondition(delete.node(), delete.record().origin());
        if (refused == null) {
          audit.recorded(delete, stored(delete.node()).orElse(null), null);
          deleteRecord(delete.node());
        }
        yield new Input.Done(delete, refused != null ? refused : new Outcome.Ok(Origin.NONE));
      }
    };
  }

  private Outcome write(
      Effect.Request request, Origin origin, Map<String, String> data, NodeRecord record) {
    audit.recorded(request, stored(request.node()).orElse(null), record);
    return put(request.node(), origin, data, audit.byKeeper() ? record : null);
  }

  private @Nullable Outcome precondition(String name, Origin origin) {
    ConfigMap map = records.get(name);
    if (map == null) {
      return new Outcome.Gone();
    }
    boolean same = map.uid().equals(origin.uid()) && map.rv() == origin.rv();
    return same ? null : new Outcome.Conflict("409: the object has been modified");
  }

  /**
   * @param as what the data says, where we wrote it; null when a person did
   */
  private Outcome put(
      String name, Origin origin, Map<String, String> data, @Nullable NodeRecord as) {
    ConfigMap old = records.get(name);
    if (old != null && old.data().equals(data) && old.awaySince() == origin.awaySince()) {
      return new Outcome.Ok(old.origin());
    }
    rv++;
    ConfigMap map = new ConfigMap(origin.uid(), rv, Map.copyOf(data), origin.awaySince());
    records.put(name, map);
    read.remove(name);
    if (as != null && rv % CODEC_SAMPLE != 0) {
      read.put(name, as.storedAs(map.origin()));
    } else if (as != null && !stored(name, map).equals(as.storedAs(map.origin()))) {
      throw new Violation(Invariant.CODEC, "wrote " + as + " but reads " + stored(name, map), null);
    }
    recordLog.add(new Event(rv, new Input.RecordSeen(stored(name, map)), millis));
    return new Outcome.Ok(map.origin());
  }

  private Outcome patch(Effect.PatchNode patch) {
    ObjectNode before = node(patch.node());
    if (before == null) {
      return new Outcome.Gone();
    }
    JsonNode body = NodeJson.parse(patch.body());
    boolean merge = patch.contentType().equals(RestorePatch.MERGE);
    ObjectNode after = merge ? NodeJson.mergePatch(before, body) : NodeJson.jsonPatch(before, body);
    if (after == null) {
      return new Outcome.Conflict("422: a test failed");
    }
    JsonNode meta = body.path("metadata");
    if (meta.has("resourceVersion")
        && meta.path("resourceVersion").asLong() != NodeJson.rv(before)) {
      return new Outcome.Conflict("409: the object has been modified");
    }
    if (meta.has("uid") && !meta.path("uid").asText().equals(NodeJson.uid(before))) {
      return new Outcome.Conflict("422: uid is immutable");
    }
    if (NodeJson.taints(after).stream().map(Taint::id).distinct().count()
        < NodeJson.taints(after).size()) {
      return new Outcome.Refused(422, "422: taints must be unique by key and effect");
    }
    audit.patched(patch, before, after);
    store(patch.node(), after);
    return new Outcome.Ok(
        new Origin(patch.uid(), Objects.requireNonNull(state(patch.node())).rv(), ""));
  }

  private void store(String name, ObjectNode node) {
    NodeJson.tidy(node);
    if (node.equals(node(name))) {
      return; // as the API server: a write that changes nothing is none
    }
    rv++;
    nodeLog.add(new Event(rv, new Input.NodeModified(commit(name, node)), millis));
  }

  private NodeState commit(String name, ObjectNode node) {
    NodeJson.tidy(node);
    NodeJson.at(node, rv);
    NodeState state = NodeJson.state(node, policy);
    nodes.put(name, new Held(node, state));
    return state;
  }

  private Stored stored(String name, ConfigMap map) {
    return read.computeIfAbsent(name, _ -> RecordCodec.read(name, map.origin(), map.data()));
  }
}
