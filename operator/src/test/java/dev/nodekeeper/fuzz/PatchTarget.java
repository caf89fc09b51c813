package dev.nodekeeper.fuzz;

import static dev.nodekeeper.fuzz.Promise.require;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.codec.Marker;
import dev.nodekeeper.core.codec.RestorePatch;
import dev.nodekeeper.core.decide.Decider;
import dev.nodekeeper.core.decide.Decision.Restore;
import dev.nodekeeper.core.decide.Knowledge;
import dev.nodekeeper.core.decide.NodeView;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeRecord.Draft;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.core.policy.Policy.IdentityBy;
import dev.nodekeeper.core.policy.Policy.OnConflict;
import dev.nodekeeper.read.NodeReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Any node and any record: the restore is a patch that applies, in both its forms with the same
 * result, and changes nothing but legal keys of the policy.
 */
public final class PatchTarget {
  private static final ObjectMapper JSON = new ObjectMapper();

  private PatchTarget() {}

  /** Each line: where (n, r or b for both), kind (l, a, t or c), name, value, effect. */
  public static void fuzzerTestOneInput(byte[] bytes) throws IOException {
    Feed feed = new Feed(bytes);
    Policy policy = policy(feed.line());
    ObjectNode node = JSON.createObjectNode();
    node.putObject("metadata").put("name", "n").put("uid", "u").put("resourceVersion", "5");
    node.putObject("spec").put("podCIDR", "10.0.0.0/24");
    SortedMap<Key, String> remembered = new TreeMap<>();
    while (feed.more()) {
      List<String> parts = feed.parts(5);
      String where = parts.get(0);
      if (!where.equals("r")) {
        put(node, parts.get(1), parts.get(2), parts.get(3), parts.get(4));
      }
      if (!where.equals("n")) {
        remember(remembered, parts.get(1), parts.get(2), parts.get(3), parts.get(4));
      }
    }
    NodeState state = read(node, policy);
    Draft draft = new Draft(Content.of(remembered), "", 1, Identity.NONE, Set.of());
    NodeRecord record = NodeRecord.none("n").next(draft, "0123456789abcdefghijkl", "now", 4);
    NodeView view = NodeView.living(state, Knowledge.registration(state));
    if (Decider.decide(view, Optional.of(record), policy) instanceof Restore restore) {
      check(node, state, restore, policy);
    }
  }

  private static void check(ObjectNode node, NodeState state, Restore restore, Policy policy)
      throws IOException {
    String withheld = Marker.list(restore.withheld());
    String marker = Marker.of(restore.version(), state.uid(), withheld);
    RestorePatch patch = new RestorePatch(state, restore.changes(), marker, withheld);
    JsonNode merged = merge(node.deepCopy(), JSON.readTree(patch.mergeBody()));
    JsonNode tested = node.deepCopy();
    JSON.readTree(patch.testedBody()).forEach(op -> apply(tested, op));
    require(
        merged.equals(tested) || noTaints(merged).equals(noTaints(tested)),
        "two forms, one result:%n%s%n%s",
        merged,
        tested);
    NodeState after = read((ObjectNode) merged, policy);
    require(after.content().equals(restore.target()), "as decided: %s, %s", after, restore);
    require(marker.equals(after.marker()), "marked: %s", after);
    NodeReader all = new NodeReader(everything());
    // Beyond the policy nothing has changed, and nothing that has is illegal.
    Content before = content(all, node);
    Content now = content(all, merged);
    for (Key key : before.changed(now)) {
      String value = now.get(key);
      require(policy.keeps(key), "only keys of the policy: %s", key);
      require(value == null || Policy.flaw(key, value) == null, "legal: %s=%s", key, value);
    }
    require(
        merged.path("spec").path("podCIDR").equals(node.path("spec").path("podCIDR")),
        "the rest stays: %s",
        merged);
  }

  private static Policy everything() {
    return new Policy(EnumSet.allOf(Kind.class), List.of(), OnConflict.NODE, IdentityBy.NAME);
  }

  private static Content content(NodeReader reader, JsonNode node) throws IOException {
    return reader.read(node.toString().getBytes(StandardCharsets.UTF_8)).content();
  }

  private static Policy policy(String line) {
    Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    for (Kind kind : Kind.values()) {
      if (line.contains(kind.setting())) {
        kinds.add(kind);
      }
    }
    OnConflict wins = line.contains("record") ? OnConflict.RECORD : OnConflict.NODE;
    List<String> prefixes = line.contains("prefix") ? List.of("a") : List.of();
    return new Policy(kinds, prefixes, wins, IdentityBy.NAME);
  }

  private static NodeState read(ObjectNode node, Policy policy) throws IOException {
    return new NodeReader(policy).read(node.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** As the API server would have let it on. */
  private static void put(ObjectNode node, String kind, String name, String value, String effect) {
    switch (kind) {
      case "l" -> {
        if (Policy.flaw(Key.label(name), value) == null) {
          node.withObject("/metadata").withObjectProperty("labels").put(name, value);
        }
      }
      case "a" -> {
        if (Policy.flaw(Key.annotation(name), value) == null) {
          node.withObject("/metadata").withObjectProperty("annotations").put(name, value);
        }
      }
      case "t" -> {
        boolean there = false;
        for (JsonNode taint : node.path("spec").path("taints")) {
          there |=
              taint.path("key").asText().equals(name)
                  && taint.path("effect").asText().equals(effect);
        }
        if (!there && Policy.flaw(Key.taint(name, effect), value) == null) {
          ArrayNode taints = node.withObject("/spec").withArrayProperty("taints");
          ObjectNode taint = taints.addObject().put("key", name);
          if (!value.isEmpty()) {
            taint.put("value", value);
          }
          taint.put("effect", effect);
        }
      }
      case "c" -> node.withObject("/spec").put("unschedulable", true);
      default -> {}
    }
  }

  /** As a person can write it, legal or not. */
  private static void remember(
      SortedMap<Key, String> map, String kind, String name, String value, String effect) {
    switch (kind) {
      case "l" -> map.put(Key.label(name), value);
      case "a" -> map.put(Key.annotation(name), value);
      case "t" -> map.put(Key.taint(name, effect), value);
      case "c" -> map.put(Key.CORDON, "true");
      default -> {}
    }
  }

  // ---- the API server's side: RFC 7386, and of RFC 6902 what we use

  private static JsonNode merge(JsonNode target, JsonNode patch) {
    if (!(patch instanceof ObjectNode fields)) {
      return patch;
    }
    ObjectNode result = target instanceof ObjectNode object ? object : JSON.createObjectNode();
    fields
        .properties()
        .forEach(
            field -> {
              if (field.getValue().isNull()) {
                result.remove(field.getKey());
              } else {
                result.set(field.getKey(), merge(result.path(field.getKey()), field.getValue()));
              }
            });
    return result;
  }

  private static void apply(JsonNode target, JsonNode op) {
    String path = op.path("path").asText();
    int slash = path.lastIndexOf('/');
    String field = path.substring(slash + 1).replace("~1", "/").replace("~0", "~");
    JsonNode parent = target.at(path.substring(0, slash));
    require(parent.isObject(), "the parent of %s is there: %s", path, target);
    ObjectNode object = (ObjectNode) parent;
    JsonNode value = op.path("value");
    switch (op.path("op").asText()) {
      case "test" ->
          require(
              value.isNull() ? !object.has(field) : value.equals(object.get(field)),
              "the test of %s holds: %s, %s",
              path,
              value,
              object.get(field));
      case "add" -> object.set(field, value);
      case "remove" -> require(object.remove(field) != null, "%s was there", path);
      default -> throw new AssertionError("no operation of ours: " + op);
    }
  }

  /** An empty list and none are the same to the API server. */
  private static JsonNode noTaints(JsonNode node) {
    ObjectNode copy = node.deepCopy();
    if (copy.path("spec").path("taints").isEmpty()) {
      copy.withObject("/spec").remove("taints");
    }
    return copy;
  }
}
