package dev.nodekeeper.read;

import static dev.nodekeeper.read.Documents.fields;
import static dev.nodekeeper.read.Documents.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Origin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** A ConfigMap of our namespace as what it is to us: a record, or something that is none. */
public final class RecordReader {
  /** On every ConfigMap that we write. */
  public static final String LABEL = "app.kubernetes.io/managed-by";

  public static final String LABEL_VALUE = "nodekeeper";

  /** Published into every namespace by the controller-manager; no node can be called so. */
  public static final String NOT_OURS = "kube-root-ca.crt";

  /** Since when the node of a record is away, by the API server's clock. */
  public static final String AWAY_SINCE = "nodekeeper.dev/away-since";

  /** By which a person keeps a record, however long its node is away. */
  public static final String KEEP = "nodekeeper.dev/keep";

  private RecordReader() {}

  public static Stored read(byte[] json) throws IOException {
    try (JsonParser parser = Documents.open(json)) {
      return read(parser);
    }
  }

  /** The parser stands on the opening brace, and afterwards on the closing one. */
  public static Stored read(JsonParser parser) throws IOException {
    Draft draft = Draft.read(parser);
    return RecordCodec.read(draft.name, draft.origin(), draft.data);
  }

  /** Of the reply to a write: what it says inside we know already. */
  public static Origin origin(byte[] json) throws IOException {
    try (JsonParser parser = Documents.open(json)) {
      return Draft.read(parser).origin();
    }
  }

  /** What has been read so far; foreign parts as they stand, to be written back. */
  private static final class Draft {
    private final Map<String, String> data = new HashMap<>();
    private final ObjectNode foreign = JsonNodeFactory.instance.objectNode();
    private String name = "";
    private String uid = "";
    private String rv = "";
    private long awaySince;
    private boolean exempt;

    static Draft read(JsonParser parser) throws IOException {
      Draft draft = new Draft();
      fields(parser, draft::top);
      if (draft.name.isEmpty() || draft.uid.isEmpty() || !Origin.isRevision(draft.rv)) {
        throw new UnreadableObjectException(
            "ConfigMap '%s' has uid '%s' and resourceVersion '%s'"
                .formatted(draft.name, draft.uid, draft.rv));
      }
      return draft;
    }

    private void top(String field, JsonParser value) throws IOException {
      switch (field) {
        case "apiVersion", "kind" -> {}
        case "metadata" -> fields(value, this::metadata);
        case "data" -> fields(value, this::entry);
        default -> foreign.set(field, value.readValueAsTree());
      }
    }

    private void metadata(String field, JsonParser value) throws IOException {
      switch (field) {
        case "name" -> name = text(value);
        case "uid" -> uid = text(value);
        case "resourceVersion" -> rv = text(value);
        case "labels" -> fields(value, this::label);
        case "annotations" -> fields(value, this::annotation);
        // The server's own; it ignores what a write says about them.
        case "namespace",
            "creationTimestamp",
            "managedFields",
            "generation",
            "selfLink",
            "deletionTimestamp",
            "deletionGracePeriodSeconds" -> {}
        default -> foreign.withObject("/metadata").set(field, value.readValueAsTree());
      }
    }

    private void label(String key, JsonParser value) throws IOException {
      if (!key.equals(LABEL)) {
        foreign.withObject("/metadata/labels").put(key, text(value));
      }
    }

    private void annotation(String key, JsonParser value) throws IOException {
      String text = text(value);
      if (key.equals(AWAY_SINCE)) {
        awaySince = millis(text);
      } else {
        exempt |= key.equals(KEEP) && text.equals("true");
        foreign.withObject("/metadata/annotations").put(key, text);
      }
    }

    /** What is no time is none: then it is written anew. */
    private static long millis(String text) {
      try {
        return Instant.parse(text).toEpochMilli();
      } catch (DateTimeException e) {
        return 0;
      }
    }

    private void entry(String key, JsonParser value) throws IOException {
      String text = text(value);
      if (key.equals(RecordCodec.RECORD) || key.equals(RecordCodec.STATE)) {
        data.put(key, text);
      } else {
        foreign.withObject("/data").put(key, text);
      }
    }

    private static int bytes(String text) {
      return text.getBytes(StandardCharsets.UTF_8).length;
    }

    Origin origin() {
      return new Origin(
          uid,
          Long.parseLong(rv),
          foreign.isEmpty() ? "" : foreign.toString(),
          data.values().stream().mapToInt(Draft::bytes).sum(),
          awaySince,
          exempt);
    }
  }
}
