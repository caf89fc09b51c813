package dev.nodekeeper.bench.measure;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.nodekeeper.bench.load.Fleet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The few words of a watch event that the bench wants. Read as a stream that is left as soon as
 * they are found: the server writes type, name, labels and annotations before the kilobytes behind
 * them.
 *
 * @param restored the node has people's labels
 * @param plain the annotation by which a plain patch is known; empty when there is none
 * @param ticket of a record; 0 when there is none
 */
record Event(
    String type, String name, String revision, boolean restored, String plain, int ticket) {
  private static final JsonFactory JSON = new JsonFactory();
  private static final String TICKET = "\"" + Fleet.TICKET + "\"";

  static Event ofNode(byte[] line) throws IOException {
    return read(line, "managedFields");
  }

  static Event ofRecord(byte[] line) throws IOException {
    return read(line, "state.json");
  }

  /**
   * @param end the field behind which nothing is wanted
   */
  private static Event read(byte[] line, String end) throws IOException {
    String type = "";
    String name = "";
    String revision = "";
    String plain = "";
    boolean restored = false;
    int ticket = 0;
    try (JsonParser parser = JSON.createParser(line)) {
      boolean more = true;
      for (var token = parser.nextToken(); token != null && more; token = parser.nextToken()) {
        if (token == JsonToken.FIELD_NAME) {
          String field = parser.currentName();
          switch (field) {
            case "type" -> type = parser.nextTextValue();
            case "name" -> name = parser.nextTextValue();
            case "resourceVersion" -> revision = parser.nextTextValue();
            case Fleet.SENTINEL -> restored = true;
            case Fleet.PLAIN -> plain = parser.nextTextValue();
            case "record.json" -> ticket = ticketIn(parser.nextTextValue());
            default -> more = !field.equals(end);
          }
        }
      }
    }
    if (type.equals("ERROR")) {
      throw new IOException("the watch failed: " + new String(line, StandardCharsets.UTF_8));
    }
    return new Event(type, name, revision, restored, plain, ticket);
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
