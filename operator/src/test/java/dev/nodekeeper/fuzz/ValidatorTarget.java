package dev.nodekeeper.fuzz;

import static dev.nodekeeper.fuzz.Promise.require;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Any key and value: one verdict, always the same, and the codec is of the same opinion. */
public final class ValidatorTarget {
  private ValidatorTarget() {}

  /** Each line: kind, name, value, effect. */
  public static void fuzzerTestOneInput(byte[] bytes) {
    Feed feed = new Feed(bytes);
    while (feed.more()) {
      List<String> parts = feed.parts(4);
      judge(key(parts.get(0), parts.get(1), parts.get(3)), parts.get(2));
    }
  }

  private static Key key(String kind, String name, String effect) {
    return switch (kind) {
      case "t" -> Key.taint(name, effect);
      case "a" -> Key.annotation(name);
      default -> Key.label(name);
    };
  }

  private static void judge(Key key, String value) {
    String flaw = Policy.flaw(key, value);
    require(Objects.equals(flaw, Policy.flaw(key, value)), "the same verdict twice on %s", key);
    require(flaw == null || !flaw.isBlank(), "a refusal of %s has a reason", key);
    if (flaw == null) {
      require(Key.parse(key.toString()).equals(Optional.of(key)), "%s is read as written", key);
    }
    var stored =
        RecordCodec.read("n", Origin.NONE, Map.of(RecordCodec.RECORD, json(key, value).toString()));
    require(stored instanceof NodeRecord, "one bad entry does not cost the record: %s", stored);
    NodeRecord record = (NodeRecord) stored;
    require(value.equals(record.content().get(key)), "it stays in the record: %s", record);
    require(record.notes().isEmpty() == (flaw == null), "noted when flawed: %s %s", flaw, record);
  }

  private static ObjectNode json(Key key, @Nullable String value) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    if (key.kind() == Kind.TAINT) {
      json.putArray("taints")
          .addObject()
          .put("key", key.name())
          .put("value", value)
          .put("effect", key.effect());
    } else {
      json.putObject(key.kind().setting()).put(key.name(), value);
    }
    return json;
  }
}
