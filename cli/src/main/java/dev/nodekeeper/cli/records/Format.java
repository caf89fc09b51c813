package dev.nodekeeper.cli.records;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Stored.Unreadable;
import dev.nodekeeper.core.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Who wrote an object that remembers labels, and how to read it. See docs/coming-from.md. */
public enum Format {
  /** Ours. */
  NODEKEEPER {
    @Override
    boolean fits(JsonNode object) {
      return data(object).has(RecordCodec.RECORD);
    }

    @Override
    Found read(JsonNode object, Policy policy) throws UnusableException {
      Map<String, String> own =
          Map.of(RecordCodec.RECORD, data(object).path(RecordCodec.RECORD).asText());
      return switch (RecordCodec.read(name(object), Origin.NONE, own)) {
        case Unreadable broken -> throw new UnusableException(broken.detail());
        case NodeRecord record ->
            new Found(
                record.node(),
                false,
                record.content(),
                record.capturedAt(),
                record.foreignRecord(),
                where(object),
                record.notes());
      };
    }
  },

  /** All labels as one JSON text, in a ConfigMap that is named by a hash. */
  LABEL_PRESERVER {
    @Override
    boolean fits(JsonNode object) {
      return data(object).has("preserved_labels_json") && HASHED.matcher(name(object)).matches();
    }

    @Override
    Found read(JsonNode object, Policy policy) throws UnusableException {
      JsonNode labels = json(data(object).path("preserved_labels_json").asText());
      String hash = name(object).substring("node-labels-".length());
      return found(hash, true, texts(labels), "", object, policy);
    }
  },

  /** An entry for each label, and its own bookkeeping among them. */
  KUBE_STATE_RS {
    @Override
    boolean fits(JsonNode object) {
      return data(object).has("label_version") && data(object).has("node_name");
    }

    @Override
    Found read(JsonNode object, Policy policy) {
      Map<String, String> labels = texts(data(object));
      labels.keySet().removeAll(BOOKKEEPING);
      String node = data(object).path("node_name").asText();
      return found(
          node, false, renamed(labels, key -> key.replace("---SLASH---", "/")), "", object, policy);
    }
  },

  /**
   * The same before it kept books. NB: nothing tells such a ConfigMap from any other, so a person
   * must say what it is.
   */
  KUBE_STATE_RS_EARLY {
    @Override
    boolean fits(JsonNode object) {
      return false;
    }

    @Override
    Found read(JsonNode object, Policy policy) {
      return found(
          name(object),
          false,
          renamed(texts(data(object)), key -> key.replace("-SLASH-", "/")),
          "",
          object,
          policy);
    }
  },

  /** A custom resource. */
  NODE_LABEL_OPERATOR {
    @Override
    boolean fits(JsonNode object) {
      return object.path("kind").asText().equals("NodeLabelState");
    }

    @Override
    Found read(JsonNode object, Policy policy) {
      JsonNode spec = object.path("spec");
      return found(
          spec.path("nodeName").asText(name(object)),
          false,
          texts(spec.path("labels")),
          object.path("status").path("lastUpdated").asText(""),
          object,
          policy);
    }
  },

  /** The same before it had one. */
  NODE_LABEL_OPERATOR_EARLY {
    @Override
    boolean fits(JsonNode object) {
      return data(object).path("state.json").asText().contains("\"nodeName\"");
    }

    @Override
    Found read(JsonNode object, Policy policy) throws UnusableException {
      JsonNode state = json(data(object).path("state.json").asText());
      return found(
          state.path("nodeName").asText(),
          false,
          texts(state.path("labels")),
          state.path("capturedAt").asText(""),
          object,
          policy);
    }
  };

  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Pattern HASHED = Pattern.compile("node-labels-[0-9a-f]{64}");
  private static final Set<String> BOOKKEEPING =
      Set.of("label_version", "last_store_resource_version", "node_name", "transaction_type");

  /** Recognised without being told. */
  abstract boolean fits(JsonNode object);

  abstract Found read(JsonNode object, Policy policy) throws UnusableException;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What an object of a file lacks to be a record. */
  static final class UnusableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableException(String why) {
      super(why);
    }

    @Override
    public String getMessage() {
      return String.valueOf(super.getMessage());
    }
  }

  static String name(JsonNode object) {
    return object.path("metadata").path("name").asText();
  }

  static String where(JsonNode object) {
    return object.path("kind").asText("object") + " " + name(object);
  }

  private static JsonNode data(JsonNode object) {
    return object.path("kind").asText().equals("ConfigMap")
        ? object.path("data")
        : MAPPER.missingNode();
  }

  private static JsonNode json(String text) throws UnusableException {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new UnusableException("bad JSON inside: " + e.getOriginalMessage());
    }
  }

  private static Map<String, String> texts(JsonNode json) {
    Map<String, String> texts = new TreeMap<>();
    json.properties().forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
    return texts;
  }

  private static Map<String, String> renamed(
      Map<String, String> labels, UnaryOperator<String> rename) {
    Map<String, String> renamed = new TreeMap<>();
    labels.forEach((key, value) -> renamed.put(rename.apply(key), value));
    return renamed;
  }

  /** They kept facts about the machine too, and in places what no node can have. */
  private static Found found(
      String node,
      boolean hashed,
      Map<String, String> labels,
      String capturedAt,
      JsonNode object,
      Policy policy) {
    List<String> remarks = new ArrayList<>();
    Map<String, String> kept = new TreeMap<>();
    labels.forEach(
        (label, value) -> {
          Key key = Key.label(label);
          String flaw = Policy.flaw(key, value);
          if (flaw != null) {
            remarks.add(key + ": " + flaw);
          } else if (!policy.keeps(key)) {
            remarks.add(key + ": not kept, it describes the machine or is outside --label-prefix");
          } else {
            kept.put(label, value);
          }
        });
    return new Found(
        node,
        hashed,
        Content.of(kept, List.of()),
        capturedAt,
        Map.of(),
        where(object),
        List.copyOf(remarks));
  }
}
