package dev.nodekeeper.it.input;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeRecord.Draft;
import dev.nodekeeper.core.model.Taint;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Records that are broken, forged or odd, all from one seed. Each is a good record of its node in
 * which something was spoiled, and tells what the node may get from it.
 */
final class BadRecords {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NONCE = "a-nonce-of-128-bits-or-more-";

  /**
   * @param what was done to it, for people
   * @param data of the ConfigMap, or (binary) what stands in its place
   * @param allowed what it says that a node can take
   */
  record Bad(String what, Map<String, String> data, Where where, Content allowed, Effect effect) {}

  /** What a node gets. */
  enum Effect {
    /** Nothing, and the record stays as it is. */
    NONE,
    /** Exactly what is allowed. */
    ALLOWED,
    /** What is allowed, or some of it. */
    AT_MOST
  }

  enum Where {
    DATA,
    BINARY_DATA
  }

  private final SplittableRandom random;
  private final Texts texts;

  BadRecords(SplittableRandom random) {
    this.random = random;
    this.texts = new Texts(random);
  }

  // ---- good ones, to start from

  static Content content(String node, int number) {
    String value = node + "-" + number;
    return Content.of(
        Map.of(
            "canary", value, "team.example/owner", "o" + number, "node-role.kubernetes.io/x", ""),
        List.of(new Taint("dedicated", value, "NoSchedule"), new Taint("q", "", "NoExecute")),
        Map.of("note.example/text", "said by " + value),
        number % 2 == 0);
  }

  static Map<String, String> good(String node, int number) {
    NodeRecord record = NodeRecord.none(node);
    for (int version = 0; version < 2; version++) {
      Content content = content(node, version == 0 ? number + 1_000_000 : number);
      Draft draft = new Draft(content, "uid-" + version, 100 + version, Identity.NONE, Set.of());
      record = record.next(draft, NONCE + version, "2026-01-01T00:00:00Z", 4);
    }
    return RecordCodec.write(record);
  }

  // ---- unreadable ones

  Bad unreadable(String node, int number) {
    Map<String, String> good = good(node, number);
    String record = good.get(RecordCodec.RECORD);
    String state = good.get(RecordCodec.STATE);
    return switch (random.nextInt(22)) {
      case 0 -> none("record cut", cut(record), state);
      case 1 -> none("state cut", record, cut(state));
      case 2 -> none("text behind", record + pick("x", "{}", "]", "null", "\u0000"), state);
      case 3 -> none("no object", pick("", " ", "[]", "null", "5", "\"{}\"", "true"), state);
      case 4 -> none("state no object", record, pick("", "[]", "null", "1", "{}"));
      case 5 -> none("maps", with(record, pick("labels", "annotations"), noObject()), state);
      case 6 -> none("taints", with(record, "taints", noArray()), state);
      case 7 -> none("other node", with(record, "node", text(otherName(node))), state);
      case 8 -> none("swapped", good(node + "-other", number));
      case 9 -> none("newer schema", record, with(state, "schema", newerSchema()));
      case 10 -> none("twice", doubled(record), state);
      case 11 -> none("state twice", record, doubled(state));
      case 12 -> none("no JSON", noJson(record), state);
      case 13 -> none("state no JSON", record, noJson(state));
      case 14 ->
          none("too deep", with(record, "foreign", nested(1_000 + random.nextInt(500))), state);
      case 15 -> none("beyond the parser", beyond(record), state);
      case 16 -> none("record missing", Map.of(RecordCodec.STATE, state));
      case 17 -> none("not a record", Map.of(pick("record.yaml", "Record.json", "a"), record));
      case 18 -> new Bad("binary", good, Where.BINARY_DATA, Content.EMPTY, Effect.NONE);
      case 19 -> none("generation", record, with(state, "generation", noLong()));
      case 20 -> none("revision", record, with(state, "resourceVersion", noRevision()));
      default -> none("bases", record, with(state, pick("written", "versions"), badBases()));
    };
  }

  private static Bad none(String what, String record, String state) {
    return none(what, Map.of(RecordCodec.RECORD, record, RecordCodec.STATE, state));
  }

  private static Bad none(String what, Map<String, String> data) {
    return new Bad(what, data, Where.DATA, Content.EMPTY, Effect.NONE);
  }

  private String cut(String json) {
    return json.substring(0, random.nextInt(json.lastIndexOf('}') + 1));
  }

  private String otherName(String node) {
    return pick(node + "x", node + " ", node.substring(1), "\u202e" + node, "", "K" + node, "*");
  }

  private JsonNode newerSchema() {
    return parse(
        pick("2", "1.5", "\"2\"", "99999999999999999999", "1e400", "\"1e9\"", "\"two\"", "{}"));
  }

  private String doubled(String json) {
    List<String> fields = new ArrayList<>();
    parse(json).fieldNames().forEachRemaining(fields::add);
    String again = fields.get(random.nextInt(fields.size()));
    return "{" + text(again) + ": " + parse(json).get(again) + ", " + json.substring(1);
  }

  private String noJson(String json) {
    String inside = json.substring(1);
    return switch (random.nextInt(10)) {
      case 0 -> "{\"n\": NaN, " + inside;
      case 1 -> "{\"n\": -Infinity, " + inside;
      case 2 -> "{\"n\": 007, " + inside;
      case 3 -> "{\"n\": 0x10, " + inside;
      case 4 -> "{/* a comment */ " + inside;
      case 5 -> "{'n': 1, " + inside;
      case 6 -> "{n: 1, " + inside;
      case 7 -> "{\"n\": \"a\nb\", " + inside;
      case 8 -> "\ufeff" + json;
      default -> "{\"n\": \"\\x41\", " + inside;
    };
  }

  /** Legal JSON that no sane record needs: it must cost neither memory nor time. */
  private String beyond(String json) {
    String inside = json.substring(1);
    return switch (random.nextInt(4)) {
      case 0 -> "{\"n\": " + "9".repeat(1_001 + random.nextInt(5_000)) + ", " + inside;
      case 1 -> "{\"" + "k".repeat(50_001 + random.nextInt(5_000)) + "\": 1, " + inside;
      case 2 -> "{\"n\": 1e" + (10_000_000_000L + random.nextInt(1_000)) + ", " + inside;
      default -> "{\"n\": " + "[".repeat(20_000 + random.nextInt(80_000)) + ", " + inside;
    };
  }

  private JsonNode noLong() {
    return parse(
        pick(
            "null",
            "\"7\"",
            "{}",
            "[7]",
            "true",
            "9223372036854775808",
            "1e30",
            "-1",
            "1000000000000001"));
  }

  private JsonNode noRevision() {
    return parse(pick("\"-5\"", "-5", "\"x\"", "\"\"", "{}", "1.5", "\"1234567890123456789\""));
  }

  private JsonNode badBases() {
    return parse(pick("{\"labels\": 5, \"generation\": 1}", "{\"labels\": [], \"taints\": {}}"));
  }

  // ---- odd ones: readable, so what is good in them counts

  Bad odd(String node, int number) {
    Map<String, String> good = good(node, number);
    ObjectNode record = (ObjectNode) parse(good.get(RecordCodec.RECORD));
    ObjectNode state = (ObjectNode) parse(good.get(RecordCodec.STATE));
    String what = spoil(record, state, node, number);
    Map<String, String> data = new TreeMap<>(Map.of(RecordCodec.RECORD, record.toString()));
    if (!state.isEmpty()) {
      data.put(RecordCodec.STATE, state.toString());
    }
    return new Bad(what, data, Where.DATA, content(node, number), Effect.ALLOWED);
  }

  /** Adds or changes what must not count; what {@link #content} says stays in. */
  private String spoil(ObjectNode record, ObjectNode state, String node, int number) {
    ObjectNode labels = (ObjectNode) record.get("labels");
    ObjectNode annotations = (ObjectNode) record.get("annotations");
    ArrayNode taints = (ArrayNode) record.get("taints");
    switch (random.nextInt(20)) {
      case 0 -> {
        for (int i = 0; i < 20; i++) {
          labels.put(" " + texts.key(), "v").put("k" + i, "\u202e" + texts.name());
        }
        return "bad labels";
      }
      case 1 -> {
        labels.putNull("n").set("o", parse("{}"));
        labels.putArray("a").add("x");
        annotations.putNull("n").putObject("o").put("x", 1);
        return "values that are no text";
      }
      case 2 -> {
        labels.put("kubernetes.io/hostname", "forged").put("topology.kubernetes.io/zone", "forged");
        annotations.put("nodekeeper.dev/restored", "1.forged").put("nodekeeper.dev/withheld", "*");
        taints.addObject().put("key", "node.kubernetes.io/unreachable").put("effect", "NoExecute");
        return "facts and marks";
      }
      case 3 -> {
        taints.add(5).add("x").addNull().addObject().put("key", "k");
        taints.addObject().put("key", "k").put("effect", pick("", "Never", "noexecute"));
        taints.addObject().put("key", "a b").put("effect", "NoSchedule");
        taints.addObject().put("key", "k").put("effect", "NoExecute").putArray("value");
        return "bad taints";
      }
      case 4 -> {
        // The first of two counts, as it stands.
        taints.addObject().put("key", "dedicated").put("value", "no").put("effect", "NoSchedule");
        return "a taint twice";
      }
      case 5 -> {
        annotations.put("huge.example/a", "h".repeat(262_144 + random.nextInt(1_000)));
        return "an annotation of 256 KiB";
      }
      case 6 -> {
        for (int i = 0; i < 300; i++) {
          taints.addObject().put("key", "t" + i).put("effect", "");
          labels.put("-" + i, "x");
        }
        return "long lists";
      }
      case 7 -> {
        record.set("foreign", parse(nestedText(1 + random.nextInt(300))));
        record.put("\u202e", "\u0000\ud800").put("note", "x".repeat(random.nextInt(20_000)));
        state.putObject("foreign").put("n", 1e300);
        return "foreign fields";
      }
      case 8 -> {
        state.put("nonce", pick("", "short", "\u0000"));
        return "a guessable nonce";
      }
      case 9 -> {
        state.put("nonce", NONCE + "forged" + number);
        return "a forged nonce";
      }
      case 10 -> {
        state.put("generation", pick(0L, 1L << 40, (long) number));
        return "a forged generation";
      }
      case 11 -> {
        state.put("resourceVersion", pick("0", "999999999999999999", "000000000000000001"));
        return "a forged revision";
      }
      case 12 -> {
        state.set(
            "words",
            parse(
                pick(
                    "[1]",
                    "5",
                    "null",
                    "{\"first\": \"x\", \"gone\": 1e99}",
                    "{\"keys\": {\"nonsense\": 1, \"label:canary\": -5}}",
                    "{\"keys\": \"x\"}")));
        state.set("withheld", parse(pick("{}", "[5, null, {}, \"nonsense\", \"taint:\"]", "1")));
        return "odd bookkeeping";
      }
      case 13 -> {
        state.set("versions", parse(pick("null", "\"x\"", "[]", "5")));
        state.set("identity", parse(pick("[]", "\"x\"", "{\"providerID\": {}}", "null")));
        return "no versions";
      }
      case 14 -> {
        ArrayNode versions = (ArrayNode) state.get("versions");
        for (int i = 0; i < 100; i++) {
          versions.add(versions.get(0).deepCopy());
        }
        return "100 versions";
      }
      case 15 -> {
        state.setAll((ObjectNode) parse(good(node + "-other", number + 1).get(RecordCodec.STATE)));
        return "another node's state";
      }
      case 16 -> {
        state.removeAll();
        record.set("node", parse(pick("null", text(node).toString())));
        return "no state";
      }
      case 17 -> {
        state.set("schema", parse(pick("0", "-1", "null", "1.0")));
        record.set("capturedAt", parse(pick("{}", "-1", "null", "\"\\u202e\"")));
        return "an older schema";
      }
      case 18 -> {
        labels.put("s", "\ud800").put("\udfff", "x").put("z", "\u0000");
        taints.addObject().put("key", "\ud83d").put("effect", "NoSchedule");
        return "half characters";
      }
      default -> {
        for (int i = 0; i < 5; i++) {
          record.set("x" + texts.key(), junk());
          state.set("x" + texts.key(), junk());
        }
        return "junk fields";
      }
    }
  }

  // ---- flipped ones: who knows what they say; whatever it is, nothing more

  /** One to three characters changed, left out or repeated, anywhere. */
  Bad flipped(String node, int number) {
    Map<String, String> data = new TreeMap<>(good(node, number));
    String entry = pick(RecordCodec.RECORD, RecordCodec.STATE);
    StringBuilder text = new StringBuilder(data.get(entry));
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(3)) {
        case 0 -> text.deleteCharAt(at);
        case 1 -> text.insert(at, text.charAt(random.nextInt(text.length())));
        default -> text.setCharAt(at, pick('"', '{', ']', ',', ':', '0', 'x', ' ', '\u202e', '-'));
      }
    }
    data.put(entry, text.toString());
    return new Bad("flipped", data, Where.DATA, said(node, data), Effect.AT_MOST);
  }

  /** What record.json says, read without any of our code. */
  private static Content said(String node, Map<String, String> data) {
    JsonNode json;
    try {
      json = JSON.readTree(data.get(RecordCodec.RECORD));
    } catch (JsonProcessingException e) {
      return Content.EMPTY;
    }
    if (!json.path("node").asText(node).equals(node)) {
      return Content.EMPTY;
    }
    List<Taint> taints = new ArrayList<>();
    json.path("taints")
        .forEach(
            t ->
                taints.add(
                    new Taint(
                        t.path("key").asText(),
                        t.path("value").asText(""),
                        t.path("effect").asText())));
    return Content.of(
        map(json.path("labels")),
        taints,
        map(json.path("annotations")),
        json.path("unschedulable").asBoolean());
  }

  private static Map<String, String> map(JsonNode json) {
    Map<String, String> map = new TreeMap<>();
    json.properties().forEach(entry -> map.put(entry.getKey(), entry.getValue().asText()));
    return map;
  }

  // ---- pieces

  private JsonNode noObject() {
    return parse(pick("[]", "5", "\"x\"", "true", "[{}]", "-1e9"));
  }

  private JsonNode noArray() {
    return parse(pick("{}", "5", "\"x\"", "false", "{\"key\": \"a\", \"effect\": \"NoSchedule\"}"));
  }

  private JsonNode junk() {
    return parse(
        pick(
            "null",
            "-0",
            "1e-400",
            "[[[]]]",
            "{\"\": {\"\": []}}",
            "\"\\ud800\"",
            "\"\\u0000\"",
            "123456789012345678901234567890.5",
            "\"" + "j".repeat(random.nextInt(3_000)) + "\""));
  }

  private static JsonNode nested(int depth) {
    // Jackson refuses to read it back, and so does the codec: as text it is only put in.
    return JSON.getNodeFactory().rawValueNode(new RawValue(nestedText(depth)));
  }

  private static String nestedText(int depth) {
    return "[".repeat(depth) + "]".repeat(depth);
  }

  private static String with(String json, String field, JsonNode value) {
    ObjectNode object = (ObjectNode) parse(json);
    object.set(field, value);
    return object.toString();
  }

  private static JsonNode text(String text) {
    return JSON.getNodeFactory().textNode(text);
  }

  private static JsonNode parse(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  @SafeVarargs
  private <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
