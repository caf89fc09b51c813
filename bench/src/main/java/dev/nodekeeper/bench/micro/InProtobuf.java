package dev.nodekeeper.bench.micro;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;

/** A Node of the fleet in the form in which the API server sends it to us. */
final class InProtobuf {
  private static final Map<String, Field> METADATA =
      Map.of(
          "name", text(1),
          "uid", text(5),
          "resourceVersion", text(6),
          "creationTimestamp", new Field.Time(8),
          "labels", map(11),
          "annotations", map(12),
          "managedFields",
              message(
                  17,
                  Map.of(
                      "manager", text(1),
                      "operation", text(2),
                      "apiVersion", text(3),
                      "time", new Field.Time(4),
                      "fieldsType", text(6),
                      "fieldsV1", new Field.Raw(7))));

  private static final Map<String, Field> SPEC =
      Map.of(
          "providerID",
          text(3),
          "taints",
          message(5, Map.of("key", text(1), "value", text(2), "effect", text(3))));

  private static final Map<String, Field> CONDITION =
      Map.of(
          "type", text(1),
          "status", text(2),
          "lastHeartbeatTime", new Field.Time(3),
          "lastTransitionTime", new Field.Time(4),
          "reason", text(5),
          "message", text(6));

  private static final Map<String, Field> INFO =
      Map.of(
          "machineID", text(1),
          "systemUUID", text(2),
          "bootID", text(3),
          "kernelVersion", text(4),
          "osImage", text(5),
          "containerRuntimeVersion", text(6),
          "kubeletVersion", text(7),
          "kubeProxyVersion", text(8),
          "operatingSystem", text(9),
          "architecture", text(10));

  private static final Map<String, Field> STATUS =
      Map.of(
          "capacity", new Field.Entries(1, new Field.Amount(2)),
          "allocatable", new Field.Entries(2, new Field.Amount(2)),
          "conditions", message(4, CONDITION),
          "addresses", message(5, Map.of("type", text(1), "address", text(2))),
          "daemonEndpoints",
              message(
                  6, Map.of("kubeletEndpoint", message(1, Map.of("Port", new Field.Number(1))))),
          "nodeInfo", message(7, INFO),
          "images", message(8, Map.of("names", text(1), "sizeBytes", new Field.Number(2))));

  private static final Map<String, Field> NODE =
      Map.of(
          "metadata", message(1, METADATA), "spec", message(2, SPEC), "status", message(3, STATUS));

  private InProtobuf() {}

  /** How a field of the JSON is written, and its number in the API's {@code generated.proto}. */
  private sealed interface Field {
    int number();

    record Text(int number) implements Field {}

    record Number(int number) implements Field {}

    record Time(int number) implements Field {}

    /** As the JSON that it is. */
    record Raw(int number) implements Field {}

    record Amount(int number) implements Field {}

    /** A map, of which all values are written alike. */
    record Entries(int number, Field value) implements Field {}

    record Message(int number, Map<String, Field> fields) implements Field {}
  }

  private static Field text(int number) {
    return new Field.Text(number);
  }

  private static Field map(int number) {
    return new Field.Entries(number, text(2));
  }

  private static Field message(int number, Map<String, Field> fields) {
    return new Field.Message(number, fields);
  }

  /** Without the envelope, as the item of a list. */
  static byte[] node(JsonNode json) {
    try {
      return object(json, NODE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] object(JsonNode json, Map<String, Field> fields) throws IOException {
    return bytes(
        out -> {
          for (var entry : json.properties()) {
            var field = fields.get(entry.getKey());
            if (field == null) {
              continue;
            }
            if (entry.getValue().isArray()) {
              for (var item : entry.getValue()) {
                write(out, field, item);
              }
            } else {
              write(out, field, entry.getValue());
            }
          }
        });
  }

  private static void write(CodedOutputStream out, Field field, JsonNode json) throws IOException {
    switch (field) {
      case Field.Text(int number) -> out.writeString(number, json.asText());
      case Field.Number(int number) -> out.writeInt64(number, json.asLong());
      case Field.Time(int number) ->
          out.writeByteArray(
              number,
              bytes(time -> time.writeInt64(1, Instant.parse(json.asText()).getEpochSecond())));
      case Field.Raw(int number) ->
          out.writeByteArray(
              number,
              bytes(
                  raw -> raw.writeByteArray(1, json.toString().getBytes(StandardCharsets.UTF_8))));
      case Field.Entries(int number, var value) -> {
        for (var entry : json.properties()) {
          out.writeByteArray(
              number,
              bytes(
                  pair -> {
                    pair.writeString(1, entry.getKey());
                    write(pair, value, entry.getValue());
                  }));
        }
      }
      case Field.Amount(int number) ->
          out.writeByteArray(number, bytes(amount -> amount.writeString(1, json.asText())));
      case Field.Message(int number, var fields) ->
          out.writeByteArray(number, object(json, fields));
    }
  }

  /** Writes the fields of one message. */
  @FunctionalInterface
  private interface Writer {
    void to(CodedOutputStream out) throws IOException;
  }

  private static byte[] bytes(Writer writer) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = CodedOutputStream.newInstance(bytes);
    writer.to(out);
    out.flush();
    return bytes.toByteArray();
  }
}
