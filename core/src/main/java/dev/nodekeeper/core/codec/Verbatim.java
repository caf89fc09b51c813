package dev.nodekeeper.core.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Pool;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Version;
import dev.nodekeeper.core.model.Words;
import dev.nodekeeper.core.policy.Policy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads a record that stands as {@link RecordCodec#write} writes it, field by field in that order,
 * with half of the garbage that trees of JSON make: a start reads 100,000. Whatever else people
 * have made of one is not for it.
 */
final class Verbatim {
  private final JsonParser parser;

  private Verbatim(JsonParser parser) {
    this.parser = parser;
  }

  /** Null where it does not stand so, or is odd in any way. */
  static @Nullable NodeRecord read(String node, Origin origin, String record, String state) {
    try {
      Told told = told(node, record);
      try (JsonParser parser = Json.parser(state)) {
        return new Verbatim(parser).state(node, origin, told);
      }
    } catch (IOException | Otherwise e) {
      return null;
    }
  }

  /** What record.json says. NB: closed before the next is opened, for it has but one buffer. */
  private static Told told(String node, String record) throws IOException, Otherwise {
    try (JsonParser parser = Json.parser(record)) {
      return new Verbatim(parser).record(node);
    }
  }

  private record Told(Content content, String capturedAt) {}

  private Told record(String node) throws IOException, Otherwise {
    next(JsonToken.START_OBJECT);
    ensure(text("node").equals(node));
    Content content = content(Content.EMPTY);
    for (int i = 0; i < content.size(); i++) {
      ensure(Policy.flaw(content.keys().get(i), content.value(i)) == null);
    }
    Told told = new Told(content, text("capturedAt"));
    end();
    return told;
  }

  private NodeRecord state(String node, Origin origin, Told told) throws IOException, Otherwise {
    next(JsonToken.START_OBJECT);
    ensure(number("schema") == RecordCodec.SCHEMA);
    field("generation");
    Version current = version(told.content);
    begin("identity");
    Identity identity = new Identity(text("providerID"), text("systemUUID"), text("machineID"));
    next(JsonToken.END_OBJECT);
    Set<Key> withheld = Set.of();
    if (nextField().equals("withheld")) {
      withheld = keys();
      field("versions");
    }
    ensure(parser.currentName().equals("versions"));
    next(JsonToken.START_ARRAY);
    List<Version> versions = new ArrayList<>();
    while (parser.nextToken() == JsonToken.START_OBJECT) {
      field("generation");
      versions.add(version(told.content));
      next(JsonToken.END_OBJECT);
    }
    ensure(parser.currentToken() == JsonToken.END_ARRAY);
    Words words = words();
    end();
    return new NodeRecord(
        node,
        origin,
        told.content,
        current,
        List.copyOf(versions),
        words,
        withheld,
        identity,
        told.capturedAt,
        List.of(),
        Map.of(),
        Map.of());
  }

  /** The parser stands on the name of its generation. */
  private Version version(Content present) throws IOException, Otherwise {
    long generation = number();
    ensure(generation >= 0 && generation <= RecordCodec.MAX_GENERATION);
    String nonce = text("nonce");
    String uid = text("uid");
    String rv = text("resourceVersion");
    ensure(Origin.isRevision(rv));
    begin("written");
    Content content = content(present);
    next(JsonToken.END_OBJECT);
    return new Version(generation, nonce, uid, Long.parseLong(rv), content);
  }

  private Set<Key> keys() throws IOException, Otherwise {
    Set<Key> keys = new HashSet<>();
    next(JsonToken.START_ARRAY);
    while (parser.nextToken() == JsonToken.VALUE_STRING) {
      Key.parse(parser.getText()).ifPresent(keys::add);
    }
    ensure(parser.currentToken() == JsonToken.END_ARRAY);
    return Set.copyOf(keys);
  }

  private Words words() throws IOException, Otherwise {
    begin("words");
    long first = number("first");
    long gone = number("gone");
    begin("keys");
    Map<Key, Long> keys = new HashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      Key key = Key.parse(parser.currentName()).orElse(null);
      ensure(key != null && keys.put(Pool.one(key), number()) == null);
    }
    ensure(parser.currentToken() == JsonToken.END_OBJECT);
    next(JsonToken.END_OBJECT);
    return new Words(first, gone, Map.copyOf(keys));
  }

  // ---- content

  private Content content(Content likely) throws IOException, Otherwise {
    Content.Builder content = new Content.Builder(likely);
    begin("labels");
    entries(Key::label, content);
    field("taints");
    taints(content);
    begin("annotations");
    entries(Key::annotation, content);
    field("unschedulable");
    JsonToken cordon = parser.nextToken();
    ensure(cordon == JsonToken.VALUE_TRUE || cordon == JsonToken.VALUE_FALSE);
    if (cordon == JsonToken.VALUE_TRUE) {
      ensure(content.add(Key.CORDON, "true"));
    }
    return content.build();
  }

  private void entries(Function<String, Key> key, Content.Builder content)
      throws IOException, Otherwise {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      Key next = key.apply(parser.currentName());
      ensure(content.add(next, text()));
    }
    ensure(parser.currentToken() == JsonToken.END_OBJECT);
  }

  private void taints(Content.Builder content) throws IOException, Otherwise {
    next(JsonToken.START_ARRAY);
    while (parser.nextToken() == JsonToken.START_OBJECT) {
      String key = text("key");
      String value = "";
      if (nextField().equals("value")) {
        value = text();
        nextField();
      }
      ensure(parser.currentName().equals("effect"));
      ensure(content.add(Key.taint(key, text()), value));
      next(JsonToken.END_OBJECT);
    }
    ensure(parser.currentToken() == JsonToken.END_ARRAY);
  }

  // ---- tokens

  private String text(String name) throws IOException, Otherwise {
    field(name);
    return text();
  }

  private String text() throws IOException, Otherwise {
    next(JsonToken.VALUE_STRING);
    return parser.getText();
  }

  private long number(String name) throws IOException, Otherwise {
    field(name);
    return number();
  }

  private long number() throws IOException, Otherwise {
    next(JsonToken.VALUE_NUMBER_INT);
    return parser.getLongValue();
  }

  private void begin(String name) throws IOException, Otherwise {
    field(name);
    next(JsonToken.START_OBJECT);
  }

  private void field(String name) throws IOException, Otherwise {
    ensure(nextField().equals(name));
  }

  private String nextField() throws IOException, Otherwise {
    next(JsonToken.FIELD_NAME);
    return parser.currentName();
  }

  private void next(JsonToken token) throws IOException, Otherwise {
    ensure(parser.nextToken() == token);
  }

  private void end() throws IOException, Otherwise {
    next(JsonToken.END_OBJECT);
    ensure(parser.nextToken() == null);
  }

  private static void ensure(boolean asWritten) throws Otherwise {
    if (!asWritten) {
      throw new Otherwise();
    }
  }

  /** It stands in another way; told to nobody. */
  private static final class Otherwise extends Exception {
    Otherwise() {
      super(null, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
    }
  }
}
