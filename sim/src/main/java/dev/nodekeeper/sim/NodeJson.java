package dev.nodekeeper.sim;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Taint;
import dev.nodekeeper.core.policy.Policy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A Node object as JSON, with the patches that an API server understands. */
final class NodeJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ObjectNode node;

  NodeJson(ObjectNode node) {
    this.node = node;
  }

  static ObjectNode blank(String name, String uid) {
    ObjectNode node = MAPPER.createObjectNode();
    node.putObject("metadata").put("name", name).put("uid", uid);
    node.putObject("spec");
    return node;
  }

  static JsonNode parse(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new AssertionError("no JSON: " + json, e);
    }
  }

  // ---- what people do

  NodeJson label(String key, @Nullable String value) {
    return entry("labels", key, value);
  }

  NodeJson annotation(String key, @Nullable String value) {
    return entry("annotations", key, value);
  }

  private NodeJson entry(String map, String key, @Nullable String value) {
    ObjectNode entries = node.withObjectProperty("metadata").withObjectProperty(map);
    if (value == null) {
      entries.remove(key);
    } else {
      entries.put(key, value);
    }
    return this;
  }

  /** A null value removes it. */
  NodeJson taint(String key, @Nullable String value, String effect, @Nullable String timeAdded) {
    ArrayNode taints = node.withObjectProperty("spec").withArrayProperty("taints");
    for (int i = taints.size() - 1; i >= 0; i--) {
      JsonNode t = taints.get(i);
      if (t.path("key").asText().equals(key) && t.path("effect").asText().equals(effect)) {
        taints.remove(i);
      }
    }
    if (value != null) {
      ObjectNode taint = taints.addObject().put("key", key);
      if (!value.isEmpty()) {
        taint.put("value", value);
      }
      taint.put("effect", effect);
      if (timeAdded != null) {
        taint.put("timeAdded", timeAdded);
      }
    }
    return this;
  }

  NodeJson terminating() {
    node.withObjectProperty("metadata").put("deletionTimestamp", "2026-01-01T00:00:00Z");
    return this;
  }

  NodeJson cordon(@Nullable String value) {
    node.withObjectProperty("spec").put("unschedulable", value != null);
    return this;
  }

  /** The machine behind it; a cloud may set this after the registration, and only once. */
  NodeJson machine(String providerId) {
    node.withObjectProperty("spec").put("providerID", providerId);
    return this;
  }

  /** The whole list, as kubectl writes it. */
  NodeJson taints(List<Taint> taints) {
    node.withObjectProperty("spec").remove("taints");
    taints.forEach(t -> taint(t.key(), t.value(), t.effect(), t.timeAdded()));
    return this;
  }

  // ---- reading

  static String uid(ObjectNode node) {
    return node.path("metadata").path("uid").asText();
  }

  static long rv(ObjectNode node) {
    return node.path("metadata").path("resourceVersion").asLong();
  }

  static boolean terminating(ObjectNode node) {
    return node.path("metadata").has("deletionTimestamp");
  }

  static @Nullable String annotationOf(ObjectNode node, String key) {
    JsonNode value = node.path("metadata").path("annotations").get(key);
    return value == null ? null : value.asText();
  }

  static boolean marked(ObjectNode node) {
    return node.path("metadata").path("annotations").has(NodeState.MARKER);
  }

  static void at(ObjectNode node, long rv) {
    node.withObjectProperty("metadata").put("resourceVersion", Long.toString(rv));
  }

  /** The same state at another revision. */
  static NodeState at(NodeState state, long rv) {
    return with(state, rv, state.content());
  }

  /** As a process sees it that keeps less. */
  static NodeState narrow(NodeState state, Policy policy) {
    return with(state, state.rv(), policy.keeps(state.content()));
  }

  private static NodeState with(NodeState state, long rv, Content content) {
    return new NodeState(
        state.name(),
        state.uid(),
        rv,
        state.terminating(),
        content,
        state.taints(),
        state.marker(),
        state.withheld(),
        state.identity(),
        state.hasLabels(),
        state.hasAnnotations(),
        state.annotationBytes());
  }

  /** All of it, whoever it belongs to, our own two annotations aside. */
  static Content everything(ObjectNode node) {
    Map<String, String> annotations = map(node, "annotations");
    annotations.remove(NodeState.MARKER);
    annotations.remove(NodeState.WITHHELD);
    return Content.of(
        map(node, "labels"),
        taints(node),
        annotations,
        node.path("spec").path("unschedulable").asBoolean());
  }

  static NodeState state(ObjectNode node, Policy policy) {
    JsonNode meta = node.path("metadata");
    Map<String, String> annotations = map(node, "annotations");
    return new NodeState(
        meta.path("name").asText(),
        uid(node),
        rv(node),
        terminating(node),
        policy.keeps(everything(node)),
        taints(node),
        annotations.get(NodeState.MARKER),
        annotations.get(NodeState.WITHHELD),
        new Identity(node.path("spec").path("providerID").asText(""), "", ""),
        meta.has("labels"),
        meta.has("annotations"),
        bytes(annotations));
  }

  private static int bytes(Map<String, String> map) {
    return map.entrySet().stream()
        .mapToInt(e -> (e.getKey() + e.getValue()).getBytes(StandardCharsets.UTF_8).length)
        .sum();
  }

  static List<Taint> taints(ObjectNode node) {
    List<Taint> taints = new ArrayList<>();
    for (JsonNode t : node.path("spec").path("taints")) {
      taints.add(
          new Taint(
              t.path("key").asText(),
              t.path("value").asText(""),
              t.path("effect").asText(),
              t.has("timeAdded") ? t.path("timeAdded").asText() : null));
    }
    return taints;
  }

  private static Map<String, String> map(ObjectNode node, String name) {
    Map<String, String> map = new TreeMap<>();
    node.path("metadata")
        .path(name)
        .properties()
        .forEach(e -> map.put(e.getKey(), e.getValue().asText()));
    return map;
  }

  /** As the API server stores it: absent rather than empty, and no text is null. */
  static void tidy(ObjectNode node) {
    for (String parent : List.of("metadata", "spec")) {
      ObjectNode in = node.withObjectProperty(parent);
      for (String field : List.of("labels", "annotations", "taints")) {
        if (in.has(field) && in.get(field).isEmpty()) {
          in.remove(field);
        } else if (in.get(field) instanceof ObjectNode map) {
          map.properties().stream()
              .filter(e -> e.getValue().isNull())
              .forEach(e -> e.setValue(TextNode.valueOf("")));
        }
      }
      if (in.has("unschedulable") && !in.get("unschedulable").asBoolean()) {
        in.remove("unschedulable");
      }
    }
  }

  // ---- patches

  /** RFC 7386; preconditions are the caller's. */
  static ObjectNode mergePatch(ObjectNode target, JsonNode patch) {
    ObjectNode result = target.deepCopy();
    merge(result, patch);
    at(result, rv(target));
    return result;
  }

  private static void merge(ObjectNode target, JsonNode patch) {
    patch
        .properties()
        .forEach(
            e -> {
              if (e.getValue().isNull()) {
                target.remove(e.getKey());
              } else if (e.getValue().isObject()) {
                merge(target.withObjectProperty(e.getKey()), e.getValue());
              } else {
                target.set(e.getKey(), e.getValue());
              }
            });
  }

  /** RFC 6902 with the API server's reading of null; null when a test fails. */
  static @Nullable ObjectNode jsonPatch(ObjectNode target, JsonNode patch) {
    ObjectNode result = target.deepCopy();
    for (JsonNode op : patch) {
      JsonPointer path = JsonPointer.compile(op.path("path").asText());
      JsonNode parent = result.at(path.head());
      String field = path.last().getMatchingProperty();
      if (!(parent instanceof ObjectNode object)) {
        return null;
      }
      JsonNode value = op.path("value");
      switch (op.path("op").asText()) {
        case "test" -> {
          boolean passes = value.isNull() ? !object.has(field) : value.equals(object.get(field));
          if (!passes) {
            return null;
          }
        }
        case "add" -> object.set(field, value);
        case "remove" -> {
          if (object.remove(field) == null) {
            return null;
          }
        }
        default -> throw new AssertionError("unknown operation in " + patch);
      }
    }
    return result;
  }
}
