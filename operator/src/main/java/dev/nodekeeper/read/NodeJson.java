package dev.nodekeeper.read;

import static dev.nodekeeper.read.Documents.fields;
import static dev.nodekeeper.read.Documents.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Taint;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A Node in JSON. */
final class NodeJson {
  private final NodeDraft draft;
  private boolean hasSpec;
  private boolean hasInfo;

  NodeJson(NodeDraft draft) {
    this.draft = draft;
  }

  NodeState read(JsonParser parser) throws IOException {
    return read(parser, () -> false);
  }

  /** Not beyond what matters. */
  NodeState readLast(JsonParser parser) throws IOException {
    return read(parser, this::complete);
  }

  private NodeState read(JsonParser parser, BooleanSupplier enough) throws IOException {
    fields(
        parser,
        (name, value) -> {
          switch (name) {
            case "metadata" -> fields(value, this::metadata);
            case "spec" -> {
              fields(value, this::spec);
              hasSpec = true;
            }
            case "status" -> fields(value, this::status, enough);
            default -> {}
          }
        },
        enough);
    return draft.finish();
  }

  /** Nothing that follows can matter, in whatever order it was written. */
  private boolean complete() {
    return !draft.rv.isEmpty() && hasSpec && hasInfo;
  }

  private void metadata(String field, JsonParser value) throws IOException {
    switch (field) {
      case "name" -> draft.name = text(value);
      case "uid" -> draft.uid = text(value);
      case "resourceVersion" -> draft.rv = text(value);
      case "deletionTimestamp" -> draft.terminating = !text(value).isEmpty();
      case "labels" -> fields(value, (key, label) -> draft.label(key, text(label)));
      case "annotations" -> fields(value, (key, text) -> draft.annotation(key, text(text)));
      default -> {}
    }
  }

  private void spec(String field, JsonParser value) throws IOException {
    switch (field) {
      case "providerID" -> draft.providerId = text(value);
      case "unschedulable" -> {
        if (value.currentToken() == JsonToken.VALUE_TRUE) {
          draft.cordoned();
        }
      }
      case "taints" -> {
        if (value.currentToken() == JsonToken.START_ARRAY) {
          while (value.nextToken() == JsonToken.START_OBJECT) {
            TaintDraft taint = new TaintDraft();
            fields(value, taint::field);
            draft.taint(new Taint(taint.key, taint.value, taint.effect, taint.timeAdded));
          }
        }
      }
      default -> {}
    }
  }

  private void status(String field, JsonParser value) throws IOException {
    if (field.equals("nodeInfo")) {
      fields(
          value,
          (name, info) -> {
            switch (name) {
              case "systemUUID" -> draft.systemUuid = text(info);
              case "machineID" -> draft.machineId = text(info);
              default -> {}
            }
          });
      hasInfo = true;
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
}
