package dev.nodekeeper.core.codec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Taint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A restore as the body of one PATCH that carries its own preconditions.
 *
 * @param changes keys to set, or (empty) to remove
 * @param marker to write; null leaves markers alone
 * @param withheld its list; empty removes a list that is there
 */
public record RestorePatch(
    NodeState node, Map<Key, Optional<String>> changes, @Nullable String marker, String withheld) {
  public static final String MERGE = "application/merge-patch+json";
  public static final String JSON = "application/json-patch+json";

  /** Exact: lands only on the very revision that the decision looked at. */
  public String mergeBody() {
    ObjectNode patch = Json.object();
    ObjectNode metadata = patch.putObject("metadata");
    metadata.put("uid", node.uid());
    metadata.put("resourceVersion", Long.toString(node.rv()));
    fill(metadata, "labels", named(Kind.LABEL));
    fill(metadata, "annotations", annotations());
    if (changesTaints()) {
      patch.withObjectProperty("spec").set("taints", taints(mergedTaints()));
    }
    Optional<String> cordon = changes.get(Key.CORDON);
    if (cordon != null) {
      patch.withObjectProperty("spec").put("unschedulable", cordon.isPresent());
    }
    return Json.text(patch);
  }

  /**
   * Lands on a node that others keep writing to: the preconditions are the uid and each value that
   * the decision looked at. The API server repeats such a patch by itself when other fields change.
   */
  public String testedBody() {
    ArrayNode patch = Json.object().putArray("patch");
    op(patch, "test", "/metadata/uid").put("value", node.uid());
    op(patch, "test", "/metadata/deletionTimestamp").putNull("value");
    testedMap(patch, "/metadata/labels", node.hasLabels(), named(Kind.LABEL), Kind.LABEL);
    testedMap(
        patch, "/metadata/annotations", node.hasAnnotations(), annotations(), Kind.ANNOTATION);
    if (changesTaints()) {
      JsonNode now = node.taints().isEmpty() ? Json.raw("null") : taints(node.taints());
      op(patch, "test", "/spec/taints").set("value", now);
      op(patch, "add", "/spec/taints").set("value", taints(mergedTaints()));
    }
    Optional<String> cordon = changes.get(Key.CORDON);
    if (cordon != null) {
      JsonNode now = node.content().unschedulable() ? Json.raw("true") : Json.raw("null");
      op(patch, "test", "/spec/unschedulable").set("value", now);
      op(patch, "add", "/spec/unschedulable").put("value", cordon.isPresent());
    }
    return Json.text(patch);
  }

  /** Only the taints, unmarked: what must not wait where everything else keeps losing. */
  public Optional<RestorePatch> taintsAlone() {
    SortedMap<Key, Optional<String>> only = new TreeMap<>(changes);
    only.keySet().removeIf(key -> key.kind() != Kind.TAINT);
    return only.isEmpty() ? Optional.empty() : Optional.of(new RestorePatch(node, only, null, ""));
  }

  private void testedMap(
      ArrayNode patch,
      String path,
      boolean present,
      SortedMap<String, Optional<String>> entries,
      Kind kind) {
    if (entries.isEmpty()) {
      return;
    }
    if (!present) {
      // Nothing can be tested or added below an absent map: it is added whole.
      op(patch, "test", path).putNull("value");
      fill(op(patch, "add", path), "value", entries);
      return;
    }
    entries.forEach(
        (name, value) -> {
          String at = path + "/" + name.replace("~", "~0").replace("/", "~1");
          String now = current(kind, name);
          op(patch, "test", at).put("value", now);
          if (value.isPresent()) {
            op(patch, "add", at).put("value", value.get());
          } else if (now != null) {
            op(patch, "remove", at);
          }
        });
  }

  private @Nullable String current(Kind kind, String name) {
    if (kind == Kind.ANNOTATION && name.equals(NodeState.MARKER)) {
      return node.marker();
    }
    if (kind == Kind.ANNOTATION && name.equals(NodeState.WITHHELD)) {
      return node.withheld();
    }
    return node.content().get(new Key(kind, name, ""));
  }

  private static ObjectNode op(ArrayNode patch, String op, String path) {
    return patch.addObject().put("op", op).put("path", path);
  }

  private static void fill(
      ObjectNode json, String field, SortedMap<String, Optional<String>> entries) {
    if (!entries.isEmpty()) {
      ObjectNode map = json.putObject(field);
      entries.forEach((name, value) -> map.put(name, value.orElse(null)));
    }
  }

  private SortedMap<String, Optional<String>> named(Kind kind) {
    SortedMap<String, Optional<String>> found = new TreeMap<>();
    changes.forEach(
        (key, value) -> {
          if (key.kind() == kind) {
            found.put(key.name(), value);
          }
        });
    return found;
  }

  private SortedMap<String, Optional<String>> annotations() {
    SortedMap<String, Optional<String>> found = named(Kind.ANNOTATION);
    if (marker != null) {
      found.put(NodeState.MARKER, Optional.of(marker));
      if (!withheld.isEmpty()) {
        found.put(NodeState.WITHHELD, Optional.of(withheld));
      } else if (node.withheld() != null) {
        found.put(NodeState.WITHHELD, Optional.empty());
      }
    }
    return found;
  }

  private boolean changesTaints() {
    return changes.keySet().stream().anyMatch(key -> key.kind() == Kind.TAINT);
  }

  /** The list is atomic: everybody else's taints go back exactly as they are. */
  private List<Taint> mergedTaints() {
    List<Taint> merged = new ArrayList<>();
    for (Taint taint : node.taints()) {
      Optional<String> change = changes.get(taint.id());
      if (change == null) {
        merged.add(taint);
      } else if (change.isPresent()) {
        merged.add(new Taint(taint.key(), change.get(), taint.effect(), taint.timeAdded()));
      }
    }
    changes.forEach(
        (key, value) -> {
          boolean present = node.taints().stream().anyMatch(taint -> taint.id().equals(key));
          if (key.kind() == Kind.TAINT && value.isPresent() && !present) {
            merged.add(new Taint(key.name(), value.get(), key.effect()));
          }
        });
    return merged;
  }

  private static ArrayNode taints(List<Taint> taints) {
    ArrayNode list = Json.object().putArray("taints");
    taints.forEach(taint -> ContentCodec.write(taint, list.addObject()));
    return list;
  }
}
