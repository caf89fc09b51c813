package dev.nodekeeper.core.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Pool;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Defect;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Stored.Unreadable;
import dev.nodekeeper.core.model.Version;
import dev.nodekeeper.core.model.Words;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The record as the data of a ConfigMap: record.json for people, state.json for us. */
public final class RecordCodec {
  public static final String RECORD = "record.json";
  public static final String STATE = "state.json";
  public static final int SCHEMA = 1;

  /** The API limits the data of a ConfigMap to 1 MiB; the names of the two entries count too. */
  static final int MAX_BYTES = 1_048_576 - RECORD.length() - STATE.length();

  /** More than anybody writes; beyond it a marker could not be told from a forged one. */
  static final long MAX_GENERATION = 1_000_000_000_000_000L;

  private static final Set<String> RECORD_FIELDS =
      Set.of("node", "labels", "taints", "annotations", "unschedulable", "capturedAt");
  private static final Set<String> STATE_FIELDS =
      Set.of(
          "schema",
          "uid",
          "resourceVersion",
          "generation",
          "nonce",
          "written",
          "identity",
          "withheld",
          "versions",
          "words");

  private RecordCodec() {}

  /** Never throws: what is no record for us is {@link Unreadable}, with the reason. */
  public static Stored read(String node, Origin origin, Map<String, String> data) {
    String recordText = data.get(RECORD);
    String stateText = data.get(STATE);
    if (recordText == null) {
      return stateText == null
          ? new Unreadable(node, origin, Defect.NOT_A_RECORD, "it has no " + RECORD)
          : new Unreadable(node, origin, Defect.BROKEN, RECORD + " is missing");
    }
    NodeRecord verbatim =
        stateText == null ? null : Verbatim.read(node, origin, recordText, stateText);
    return verbatim == null ? read(node, origin, recordText, stateText) : verbatim;
  }

  /** Whatever people have made of it. */
  static Stored read(String node, Origin origin, String recordText, @Nullable String stateText) {
    try {
      JsonNode state = stateText == null ? null : object(STATE, stateText);
      if (state != null && state.hasNonNull("schema") && !state.path("schema").isNumber()) {
        throw new BrokenRecord("the schema in " + STATE + " is not a number");
      }
      if (state != null && state.path("schema").asDouble(0) > SCHEMA) {
        return new Unreadable(
            node,
            origin,
            Defect.NEWER_SCHEMA,
            "schema " + state.path("schema").asText() + " is newer than ours, " + SCHEMA);
      }
      JsonNode record = object(RECORD, recordText);
      String inside = record.path("node").asText(node);
      if (!inside.equals(node)) {
        return new Unreadable(
            node, origin, Defect.OTHER_NODE, "it is the record of node " + inside);
      }
      return read(node, origin, record, state);
    } catch (JsonProcessingException e) {
      return new Unreadable(
          node, origin, Defect.BROKEN, "bad JSON: " + Json.firstLine(e.getOriginalMessage()));
    } catch (BrokenRecord e) {
      return new Unreadable(node, origin, Defect.BROKEN, e.getMessage());
    }
  }

  private static NodeRecord read(
      String node, Origin origin, JsonNode record, @Nullable JsonNode state) throws BrokenRecord {
    List<String> notes = new ArrayList<>();
    Content content = ContentCodec.read(record, notes);
    String capturedAt = record.path("capturedAt").asText("");
    Map<String, String> foreignRecord = foreign(record, RECORD_FIELDS);
    if (state == null) {
      return new NodeRecord(
          node,
          origin,
          content,
          null,
          List.of(),
          Words.NONE,
          Set.of(),
          Identity.NONE,
          capturedAt,
          notes,
          foreignRecord,
          Map.of());
    }
    List<Version> versions = new ArrayList<>();
    for (JsonNode version : state.path("versions")) {
      versions.add(version(version, content));
    }
    Version current = version(state, content);
    Set<Key> withheld = new TreeSet<>();
    state.path("withheld").forEach(key -> Key.parse(key.asText()).ifPresent(withheld::add));
    JsonNode id = state.path("identity");
    return new NodeRecord(
        node,
        origin,
        content,
        current,
        List.copyOf(versions),
        words(state.path("words"), current),
        Set.copyOf(withheld),
        new Identity(
            id.path("providerID").asText(""),
            id.path("systemUUID").asText(""),
            id.path("machineID").asText("")),
        capturedAt,
        List.copyOf(notes),
        foreignRecord,
        foreign(state, STATE_FIELDS));
  }

  /** Where none are written, the record counts as newer than whatever comes. */
  private static Words words(JsonNode json, Version current) {
    Map<Key, Long> keys = new TreeMap<>();
    json.path("keys")
        .properties()
        .forEach(
            entry ->
                Key.parse(entry.getKey())
                    .ifPresent(
                        key -> keys.put(Pool.one(key), entry.getValue().asLong(current.rv()))));
    return new Words(
        json.path("first").asLong(current.rv()),
        json.path("gone").asLong(current.rv()),
        Map.copyOf(keys));
  }

  private static Version version(JsonNode json, Content present) throws BrokenRecord {
    JsonNode generation = json.path("generation");
    JsonNode rv = json.path("resourceVersion");
    boolean counted =
        generation.canConvertToLong()
            && generation.asLong() >= 0
            && generation.asLong() <= MAX_GENERATION;
    if (!counted || !Origin.isRevision(rv.asText("0"))) {
      throw new BrokenRecord(STATE + " has no generation or a bad resourceVersion");
    }
    return new Version(
        generation.asLong(),
        json.path("nonce").asText(""),
        json.path("uid").asText(""),
        Long.parseLong(rv.asText("0")),
        ContentCodec.written(json.path("written")).like(present));
  }

  /** The data to store; old versions are left out, oldest first, where they do not fit. */
  public static Map<String, String> write(NodeRecord record) {
    String text = Json.pretty(recordJson(record));
    NodeRecord fitting = record;
    String state = Json.text(stateJson(fitting));
    while (bytes(text) + bytes(state) > MAX_BYTES && !fitting.versions().isEmpty()) {
      List<Version> fewer = fitting.versions().subList(0, fitting.versions().size() - 1);
      fitting = fitting.withVersions(List.copyOf(fewer));
      state = Json.text(stateJson(fitting));
    }
    Map<String, String> data = new LinkedHashMap<>();
    data.put(RECORD, text);
    data.put(STATE, state);
    return data;
  }

  private static ObjectNode recordJson(NodeRecord record) {
    ObjectNode json = Json.object();
    json.put("node", record.node());
    ContentCodec.write(record.content(), json);
    json.put("capturedAt", record.capturedAt());
    record.foreignRecord().forEach((field, raw) -> json.set(field, Json.raw(raw)));
    return json;
  }

  private static ObjectNode stateJson(NodeRecord record) {
    ObjectNode json = Json.object();
    json.put("schema", SCHEMA);
    if (record.current() != null) {
      writeVersion(record.current(), json);
    }
    ObjectNode identity = json.putObject("identity");
    identity.put("providerID", record.identity().providerId());
    identity.put("systemUUID", record.identity().systemUuid());
    identity.put("machineID", record.identity().machineId());
    if (!record.withheld().isEmpty()) {
      ArrayNode withheld = json.putArray("withheld");
      new TreeSet<>(record.withheld()).forEach(key -> withheld.add(key.toString()));
    }
    ArrayNode versions = json.putArray("versions");
    record.versions().forEach(version -> writeVersion(version, versions.addObject()));
    ObjectNode words = json.putObject("words");
    words.put("first", record.words().first());
    words.put("gone", record.words().gone());
    ObjectNode keys = words.putObject("keys");
    new TreeMap<>(record.words().keys()).forEach((key, rv) -> keys.put(key.toString(), rv));
    record.foreignState().forEach((field, raw) -> json.set(field, Json.raw(raw)));
    return json;
  }

  private static void writeVersion(Version version, ObjectNode json) {
    json.put("generation", version.generation());
    json.put("nonce", version.nonce());
    json.put("uid", version.uid());
    json.put("resourceVersion", Long.toString(version.rv()));
    ContentCodec.write(version.content(), json.putObject("written"));
  }

  private static JsonNode object(String entry, String text)
      throws JsonProcessingException, BrokenRecord {
    JsonNode json = Json.parse(text);
    if (!json.isObject()) {
      throw new BrokenRecord(entry + " is not a JSON object");
    }
    return json;
  }

  private static Map<String, String> foreign(JsonNode json, Set<String> known) {
    Map<String, String> found = new LinkedHashMap<>();
    json.properties()
        .forEach(
            field -> {
              if (!known.contains(field.getKey())) {
                found.put(field.getKey(), Json.text(field.getValue()));
              }
            });
    return found.isEmpty() ? Map.of() : found;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** Inside the codec only: it leaves as {@link Unreadable}. */
  static final class BrokenRecord extends Exception {
    BrokenRecord(String message) {
      super(message);
    }

    @Override
    public String getMessage() {
      return String.valueOf(super.getMessage());
    }
  }
}
