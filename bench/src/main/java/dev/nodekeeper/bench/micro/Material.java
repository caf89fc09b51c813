package dev.nodekeeper.bench.micro;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.bench.load.Fleet;
import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.decide.Decider;
import dev.nodekeeper.core.decide.Decision;
import dev.nodekeeper.core.decide.Knowledge;
import dev.nodekeeper.core.decide.NodeView;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.read.NodeReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** One machine of the fleet in its two lives, and its record after two captures. */
final class Material {
  static final Policy POLICY = Policy.DEFAULT;
  static final Origin ORIGIN = new Origin("7d6a1f0e-0000-4000-8000-000000000001", 900, "");

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NONCE = "abcdefghijklmnopqrstuv";
  private static final String TIME = "2026-11-15T12:00:00Z";
  private static final int VERSIONS = 4;
  private static final int INDEX = 4711;

  private static final NodeReader READER = new NodeReader(POLICY);

  private final Fleet fleet;
  private final int index;

  Material() {
    this(new Fleet(INDEX + 1, 1), INDEX);
  }

  Material(Fleet fleet, int index) {
    this.fleet = fleet;
    this.index = index;
  }

  NodeReader reader() {
    return READER;
  }

  /** About 10 KB, with what people put on it. */
  byte[] labelled(String uid, long rv) {
    return node(uid, rv, fleet.everything(index, 0));
  }

  /** The same after one more edit. */
  byte[] edited(String uid, long rv) {
    fleet.edit(index);
    return labelled(uid, rv);
  }

  /** As it registers. */
  byte[] bare(String uid, long rv) {
    return node(uid, rv, "{}");
  }

  /** With this merge patch applied to it. */
  byte[] node(String uid, long rv, String patch) {
    try {
      var node = (ObjectNode) JSON.readTree(fleet.registration(index));
      merge(node, JSON.readTree(patch));
      var metadata = (ObjectNode) node.path("metadata");
      metadata.put("uid", uid).put("resourceVersion", Long.toString(rv));
      metadata.put("creationTimestamp", TIME);
      var managers = metadata.putArray("managedFields");
      for (var manager : new String[] {"kubelet", "kubectl-label"}) {
        var entry = managers.addObject().put("manager", manager).put("operation", "Update");
        entry.put("apiVersion", "v1").put("time", TIME).put("fieldsType", "FieldsV1");
        var fields = entry.putObject("fieldsV1").putObject("f:metadata").putObject("f:labels");
        metadata.path("labels").fieldNames().forEachRemaining(key -> fields.putObject("f:" + key));
      }
      return node.toString().getBytes(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] inProtobuf(byte[] json) {
    try {
      return InProtobuf.node(JSON.readTree(json));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void merge(ObjectNode into, JsonNode patch) {
    patch
        .properties()
        .forEach(
            field -> {
              if (into.path(field.getKey()) instanceof ObjectNode below
                  && field.getValue().isObject()) {
                merge(below, field.getValue());
              } else {
                into.set(field.getKey(), field.getValue());
              }
            });
  }

  NodeState state(byte[] json) {
    try {
      return READER.read(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Captured from the first state, then from the second. */
  static NodeRecord record(NodeState first, NodeState second) {
    return captured(second, Optional.of(captured(first, Optional.empty())));
  }

  private static NodeRecord captured(NodeState state, Optional<NodeRecord> before) {
    var view = NodeView.living(state, Knowledge.found(state));
    if (Decider.decide(view, before, POLICY) instanceof Decision.Write write) {
      return before
          .orElseGet(() -> NodeRecord.none(state.name()))
          .next(write.draft(), NONCE, TIME, VERSIONS)
          .storedAs(ORIGIN);
    }
    throw new IllegalStateException("there should be something to capture");
  }

  /** The record as the API server sends it. */
  static byte[] configMap(NodeRecord record) {
    var map = JSON.createObjectNode().put("kind", "ConfigMap").put("apiVersion", "v1");
    map.putObject("metadata")
        .put("name", record.node())
        .put("namespace", "nodekeeper")
        .put("uid", ORIGIN.uid())
        .put("resourceVersion", Long.toString(ORIGIN.rv()))
        .putObject("labels")
        .put("app.kubernetes.io/managed-by", "nodekeeper");
    Map<String, String> data = RecordCodec.write(record);
    map.set("data", JSON.valueToTree(data));
    return map.toString().getBytes(StandardCharsets.UTF_8);
  }
}
