package dev.nodekeeper.bench.measure;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.CodedInputStream;
import dev.nodekeeper.bench.load.Fleet;
import dev.nodekeeper.read.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The few words of a watch event that the bench wants. What is behind them is skipped: the bench
 * must not be what limits the figures.
 *
 * @param restored the node has people's labels
 * @param plain the annotation by which a plain patch is known; empty when there is none
 * @param ticket of a record; 0 when there is none
 */
record Event(
    String type, String name, String revision, boolean restored, String plain, int ticket) {
  private static final JsonFactory JSON = new JsonFactory();
  private static final String TICKET = "\"" + Fleet.TICKET + "\"";

  /** In protobuf. */
  static Event ofNode(byte[] document) throws IOException {
    var words = new HashMap<String, String>();
    Wire.fields(
        Wire.open(document),
        (number, value) -> {
          switch (number) {
            case 1 -> words.put("type", value.readString());
            case 2 ->
                Wire.within(
                    value,
                    raw ->
                        Wire.only(
                            raw, 1, object -> Wire.object(object, node -> node(node, words))));
            default -> {
              return false;
            }
          }
          return true;
        });
    String type = words.getOrDefault("type", "");
    if (type.equals("ERROR")) {
      throw new IOException("the watch failed: " + new String(document, StandardCharsets.UTF_8));
    }
    return new Event(
        type,
        words.getOrDefault("name", ""),
        words.getOrDefault("resourceVersion", ""),
        words.containsKey(Fleet.SENTINEL),
        words.getOrDefault(Fleet.PLAIN, ""),
        0);
  }

  private static boolean node(CodedInputStream node, Map<String, String> words) throws IOException {
    Wire.fields(
        node,
        (number, value) ->
            number == 1 && Wire.message(value, (field, of) -> metadata(field, of, words)));
    return true;
  }

  private static boolean metadata(int number, CodedInputStream value, Map<String, String> words)
      throws IOException {
    switch (number) {
      case 1 -> words.put("name", value.readString());
      case 6 -> words.put("resourceVersion", value.readString());
      case 11, 12 -> Wire.entry(value, words::put);
      default -> {
        return false;
      }
    }
    return true;
  }

  /** In JSON. */
  static Event ofRecord(byte[] line) throws IOException {
    String type = "";
    String name = "";
    String revision = "";
    int ticket = 0;
    try (JsonParser parser = JSON.createParser(line)) {
      boolean more = true;
      for (var token = parser.nextToken(); token != null && more; token = parser.nextToken()) {
        if (token == JsonToken.FIELD_NAME) {
          switch (parser.currentName()) {
            case "type" -> type = parser.nextTextValue();
            case "name" -> name = parser.nextTextValue();
            case "resourceVersion" -> revision = parser.nextTextValue();
            case "record.json" -> ticket = ticketIn(parser.nextTextValue());
            case "state.json" -> more = false;
            default -> {}
          }
        }
      }
    }
    if (type.equals("ERROR")) {
      throw new IOException("the watch failed: " + new String(line, StandardCharsets.UTF_8));
    }
    return new Event(type, name, revision, false, "", ticket);
  }

  private static int ticketIn(String record) {
    int at = record.indexOf(TICKET);
    if (at < 0) {
      return 0;
    }
    int from = record.indexOf("\"t-", at + TICKET.length()) + 3;
    return Integer.parseInt(record, from, record.indexOf('"', from), 10);
  }
}
