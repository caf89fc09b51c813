package dev.nodekeeper.read;

import static dev.nodekeeper.read.Documents.fields;
import static dev.nodekeeper.read.Documents.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Pool;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Taint;
import dev.nodekeeper.core.policy.Policy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A Node, trimmed to what can matter to us while it is being parsed. */
public final class NodeReader {
  private final KeyCache keys;

  public NodeReader(Policy policy) {
    this.keys = new KeyCache(policy);
  }

  public NodeState read(byte[] json) throws IOException {
    try (JsonParser parser = Documents.open(json)) {
      return read(parser);
    }
  }

  /** The parser stands on the opening brace, and afterwards on the closing one. */
  public NodeState read(JsonParser parser) throws IOException {
    return read(parser, new Draft(), () -> false);
  }

  /**
   * The same where nothing follows: half of a heartbeat is a list of images behind all that
   * matters.
   */
  public NodeState readLast(JsonParser parser) throws IOException {
    Draft draft = new Draft();
    return read(parser, draft, draft::complete);
  }

  private static NodeState read(JsonParser parser, Draft draft, BooleanSupplier enough)
      throws IOException {
    fields(
        parser,
        (name, value) -> {
          switch (name) {
            case "metadata" -> fields(value, draft::metadata);
            case "spec" -> {
              fields(value, draft::spec);
              draft.hasSpec = true;
            }
            case "status" -> fields(value, draft::status, enough);
            default -> {}
          }
        },
        enough);
    return draft.finish();
  }

  /** What has been read so far. */
  private final class Draft {
    private final TreeMap<Key, String> content = new TreeMap<>();
    private final List<Taint> taints = new ArrayList<>();
    private String name = "";
    private String uid = "";
    private String rv = "";
    private boolean terminating;
    private @Nullable String marker;
    private @Nullable String withheld;
    private String providerId = "";
    private String systemUuid = "";
    private String machineId = "";
    private boolean hasSpec;
    private boolean hasInfo;
    private boolean hasLabels;
    private boolean hasAnnotations;
    private int annotationBytes;

    void metadata(String field, JsonParser value) throws IOException {
      switch (field) {
        case "name" -> name = text(value);
        case "uid" -> uid = text(value);
        case "resourceVersion" -> rv = text(value);
        case "deletionTimestamp" -> terminating = !text(value).isEmpty();
        case "labels" -> fields(value, this::label);
        case "annotations" -> fields(value, this::annotation);
        default -> {}
      }
    }

    private void label(String key, JsonParser value) throws IOException {
      hasLabels = true;
      String text = text(value);
      keys.label(key).ifPresent(kept -> content.put(kept, text));
    }

    private void annotation(String key, JsonParser value) throws IOException {
      hasAnnotations = true;
      String text = text(value);
      annotationBytes += utf8Length(key) + utf8Length(text);
      switch (key) {
        case NodeState.MARKER -> marker = text;
        case NodeState.WITHHELD -> withheld = text;
        default -> keys.annotation(key).ifPresent(kept -> content.put(kept, text));
      }
    }

    void spec(String field, JsonParser value) throws IOException {
      switch (field) {
        case "providerID" -> providerId = text(value);
        case "unschedulable" -> {
          if (value.currentToken() == JsonToken.VALUE_TRUE) {
            keys.cordon().ifPresent(kept -> content.put(kept, "true"));
          }
        }
        case "taints" -> {
          if (value.currentToken() == JsonToken.START_ARRAY) {
            while (value.nextToken() == JsonToken.START_OBJECT) {
              taint(value);
            }
          }
        }
        default -> {}
      }
    }

    private void taint(JsonParser parser) throws IOException {
      TaintDraft draft = new TaintDraft();
      fields(parser, draft::field);
      Taint taint = new Taint(draft.key, draft.value, draft.effect, draft.timeAdded);
      taints.add(taint);
      keys.taint(taint.key(), taint.effect())
          .ifPresent(kept -> content.putIfAbsent(kept, taint.value()));
    }

    void status(String field, JsonParser value) throws IOException {
      if (field.equals("nodeInfo")) {
        fields(
            value,
            (name, info) -> {
              switch (name) {
                case "systemUUID" -> systemUuid = text(info);
                case "machineID" -> machineId = text(info);
                default -> {}
              }
            });
        hasInfo = true;
      }
    }

    /** Nothing that follows can matter, in whatever order it was written. */
    boolean complete() {
      return !rv.isEmpty() && hasSpec && hasInfo;
    }

    NodeState finish() throws UnreadableObjectException {
      if (name.isEmpty() || uid.isEmpty() || !Origin.isRevision(rv)) {
        throw new UnreadableObjectException(
            "node '%s' has uid '%s' and resourceVersion '%s'".formatted(name, uid, rv));
      }
      return new NodeState(
          name,
          uid,
          Long.parseLong(rv),
          terminating,
          Content.of(content),
          Pool.one(List.copyOf(taints)),
          marker,
          withheld,
          new Identity(providerId, systemUuid, machineId),
          hasLabels,
          hasAnnotations,
          annotationBytes);
    }
  }

  private static final class TaintDraft {
    private String key = "";
    private String value = "";
    private String effect = "";
    private @Nullable String timeAdded;

    void field(String field, JsonParser json) throws IOException {
      switch (field) {
        case "key" -> key = text(json);
        case "value" -> value = text(json);
        case "effect" -> effect = text(json);
        case "timeAdded" -> timeAdded = text(json).isEmpty() ? null : text(json);
        default -> {}
      }
    }
  }

  /** Without making the bytes: annotations can be long, and heartbeats are many. */
  private static int utf8Length(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes += 1;
      } else if (c < 0x800) {
        bytes += 2;
      } else {
        // Each half of a surrogate pair counts two of its four bytes.
        bytes += Character.isSurrogate(c) ? 2 : 3;
      }
    }
    return bytes;
  }
}
