package dev.nodekeeper.core.codec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.codec.RecordCodec.BrokenRecord;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.Taint;
import dev.nodekeeper.core.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Labels, taints, annotations and cordon as JSON fields. */
final class ContentCodec {
  private ContentCodec() {}

  /**
   * One bad entry never costs the others: an illegal key stays (and is withheld from nodes), what
   * is no text at all is left out; both are noted.
   */
  static Content read(JsonNode json, List<String> notes) throws BrokenRecord {
    SortedMap<Key, String> map = map(json, notes);
    map.forEach(
        (key, value) -> {
          String flaw = Policy.flaw(key, value);
          if (flaw != null) {
            notes.add(key + ": " + flaw);
          }
        });
    return Content.of(map);
  }

  /** Of a version: what was odd about it was told when it was current. */
  static Content written(JsonNode json) throws BrokenRecord {
    return Content.of(map(json, new ArrayList<>()));
  }

  private static SortedMap<Key, String> map(JsonNode json, List<String> notes) throws BrokenRecord {
    SortedMap<Key, String> map = new TreeMap<>();
    entries(json, "labels", Key::label, map, notes);
    entries(json, "annotations", Key::annotation, map, notes);
    taints(json, map, notes);
    JsonNode cordon = json.path("unschedulable");
    if (cordon.isBoolean() && cordon.booleanValue()) {
      map.put(Key.CORDON, "true");
    } else if (!cordon.isMissingNode() && !cordon.isNull() && !cordon.isBoolean()) {
      notes.add("unschedulable is neither true nor false");
    }
    return map;
  }

  private static void entries(
      JsonNode json,
      String field,
      Function<String, Key> key,
      SortedMap<Key, String> map,
      List<String> notes)
      throws BrokenRecord {
    JsonNode entries = json.path(field);
    if (entries.isMissingNode() || entries.isNull()) {
      return;
    }
    if (!entries.isObject()) {
      throw new BrokenRecord(field + " is not a JSON object");
    }
    entries
        .properties()
        .forEach(
            entry -> {
              if (entry.getValue().isValueNode() && !entry.getValue().isNull()) {
                map.put(key.apply(entry.getKey()), entry.getValue().asText());
              } else {
                notes.add(key.apply(entry.getKey()) + ": its value is no text");
              }
            });
  }

  private static void taints(JsonNode json, SortedMap<Key, String> map, List<String> notes)
      throws BrokenRecord {
    JsonNode taints = json.path("taints");
    if (taints.isMissingNode() || taints.isNull()) {
      return;
    }
    if (!taints.isArray()) {
      throw new BrokenRecord("taints is not a JSON list");
    }
    for (JsonNode taint : taints) {
      JsonNode value = taint.path("value");
      if (!taint.path("key").isTextual()
          || !taint.path("effect").isTextual()
          || value.isContainerNode()) {
        notes.add("a taint has no key, no effect or a value that is no text");
        continue;
      }
      Key key = Key.taint(taint.path("key").asText(), taint.path("effect").asText());
      if (map.putIfAbsent(key, value.asText("")) != null) {
        notes.add(key + ": is there twice");
      }
    }
  }

  static void write(Content content, ObjectNode json) {
    ObjectNode labels = json.putObject("labels");
    content.named(Kind.LABEL).forEach(labels::put);
    ArrayNode taints = json.putArray("taints");
    content.taints().forEach(taint -> write(taint, taints.addObject()));
    ObjectNode annotations = json.putObject("annotations");
    content.named(Kind.ANNOTATION).forEach(annotations::put);
    json.put("unschedulable", content.unschedulable());
  }

  /** As the API server writes it: absent rather than empty. */
  static ObjectNode write(Taint taint, ObjectNode json) {
    json.put("key", taint.key());
    if (!taint.value().isEmpty()) {
      json.put("value", taint.value());
    }
    json.put("effect", taint.effect());
    if (taint.timeAdded() != null) {
      json.put("timeAdded", taint.timeAdded());
    }
    return json;
  }
}
