package dev.nodekeeper.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.codec.RestorePatch;
import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.Outcome;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Taint;
import dev.nodekeeper.core.policy.Policy;
import java.util.ArrayList;
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
  private final Policy policy;
  private final Map<String, ObjectNode> nodes = new TreeMap<>();
  private final Map<String, ConfigMap> records = new TreeMap<>();
  private final Audit audit;
  private long rv = 100;
  private int uids;

  /** What a watch of nodes, or of records, shows, in order. */
  final List<Event> nodeLog = new ArrayList<>();

  final List<Event> recordLog = new ArrayList<>();

  record Event(long rv, Input input) {}

  record ConfigMap(String uid, long rv, Map<String, String> data) {}

  /** Looks at our writes before they are committed. */
  interface Audit {
    void sent(Replica.Pending request);

    void patched(Effect.PatchNode patch, ObjectNode before, ObjectNode after);
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
    return nodes.get(name);
  }

  @Nullable ConfigMap record(String name) {
    return records.get(name);
  }

  Optional<Stored> stored(String name) {
    ConfigMap map = records.get(name);
    return map == null ? Optional.empty() : Optional.of(stored(name, map));
  }

  NodeState create(String name, Consumer<NodeJson> as) {
    ObjectNode node = NodeJson.blank(name, "u" + ++uids);
    as.accept(new NodeJson(node));
    rv++;
    commit(name, node);
    NodeState state = state(node);
    nodeLog.add(new Event(rv, new Input.NodeAdded(state)));
    return state;
  }

  void change(String name, Consumer<NodeJson> how) {
    ObjectNode node = Objects.requireNonNull(nodes.get(name)).deepCopy();
    how.accept(new NodeJson(node));
    store(name, node);
  }

  void delete(String name) {
    ObjectNode node = Objects.requireNonNull(nodes.remove(name));
    rv++;
    NodeJson.at(node, rv);
    nodeLog.add(new Event(rv, new Input.NodeDeleted(state(node))));
  }

  void writeRecord(String name, Map<String, String> data) {
    ConfigMap old = records.get(name);
    put(name, old == null ? "cm" + ++uids : old.uid(), data);
  }

  void deleteRecord(String name) {
    records.remove(name);
    rv++;
    recordLog.add(new Event(rv, new Input.RecordDeleted(name, rv)));
  }

  // ---- lists

  List<NodeState> listNodes() {
    return nodes.values().stream().map(this::state).toList();
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
      case Effect.ReadNode read ->
          new Input.NodeRead(read, Optional.ofNullable(nodes.get(read.node())).map(this::state));
      case Effect.ReadRecord read -> new Input.RecordRead(read, stored(read.node()));
      case Effect.PatchNode patch -> new Input.Done(patch, patch(patch));
      case Effect.CreateRecord create ->
          new Input.Done(
              create,
              records.containsKey(create.node())
                  ? new Outcome.Conflict("409: already exists")
                  : put(create.node(), "cm" + ++uids, create.data()));
      case Effect.UpdateRecord update -> {
        Outcome refused = precondition(update.node(), update.record().origin());
        yield new Input.Done(
            update,
            refused != null
                ? refused
                : put(update.node(), update.record().origin().uid(), update.data()));
      }
      case Effect.DeleteRecord delete -> {
        Outcome refused = precondition(delete.node(), delete.record().origin());
        if (refused == null) {
          deleteRecord(delete.node());
        }
        yield new Input.Done(delete, refused != null ? refused : new Outcome.Ok(Origin.NONE));
      }
    };
  }

  private @Nullable Outcome precondition(String name, Origin origin) {
    ConfigMap map = records.get(name);
    if (map == null) {
      return new Outcome.Gone();
    }
    boolean same = map.uid().equals(origin.uid()) && map.rv() == origin.rv();
    return same ? null : new Outcome.Conflict("409: the object has been modified");
  }

  private Outcome put(String name, String uid, Map<String, String> data) {
    ConfigMap old = records.get(name);
    if (old != null && old.data().equals(data)) {
      return ok(uid, old.rv());
    }
    rv++;
    ConfigMap map = new ConfigMap(uid, rv, Map.copyOf(data));
    records.put(name, map);
    recordLog.add(new Event(rv, new Input.RecordSeen(stored(name, map))));
    return ok(uid, rv);
  }

  private Outcome patch(Effect.PatchNode patch) {
    ObjectNode before = nodes.get(patch.node());
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
    if (merge && meta.path("resourceVersion").asLong() != NodeJson.rv(before)) {
      return new Outcome.Conflict("409: the object has been modified");
    }
    if (merge && !meta.path("uid").asText().equals(NodeJson.uid(before))) {
      return new Outcome.Conflict("422: uid is immutable");
    }
    if (NodeJson.taints(after).stream().map(Taint::id).distinct().count()
        < NodeJson.taints(after).size()) {
      return new Outcome.Refused(422, "422: taints must be unique by key and effect");
    }
    audit.patched(patch, before, after);
    store(patch.node(), after);
    return ok(patch.uid(), NodeJson.rv(Objects.requireNonNull(nodes.get(patch.node()))));
  }

  private void store(String name, ObjectNode node) {
    NodeJson.tidy(node);
    if (node.equals(nodes.get(name))) {
      return; // as the API server: a write that changes nothing is none
    }
    rv++;
    commit(name, node);
    nodeLog.add(new Event(rv, new Input.NodeModified(state(node))));
  }

  private void commit(String name, ObjectNode node) {
    NodeJson.tidy(node);
    NodeJson.at(node, rv);
    nodes.put(name, node);
  }

  private NodeState state(ObjectNode node) {
    return NodeJson.state(node, policy);
  }

  private static Stored stored(String name, ConfigMap map) {
    return RecordCodec.read(name, new Origin(map.uid(), map.rv(), ""), map.data());
  }

  private static Outcome ok(String uid, long rv) {
    return new Outcome.Ok(new Origin(uid, rv, ""));
  }
}
