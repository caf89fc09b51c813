package dev.nodekeeper.bench.measure;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.nodekeeper.bench.load.Fleet;
import java.io.IOException;

/**
 * The few words of a watch event that the bench wants. Read as a stream that is left as soon as they
 * are found: the server writes type, name, labels and annotations before the kilobytes behind them.
 *
 * @param restored the node has people's labels
 * @param plain the annotation by which a plain patch is known; empty when there is none
 */
record Event(String type, String name, boolean restored, String plain) {
  private static final JsonFactory JSON = new JsonFactory();
  private static final String TICKET = "\"" + Fleet.TICKET + "\"";

  static Event ofNode(byte[] line) throws IOException {
    String type = "";
    String name = "";
    String plain = "";
    boolean restored = false;
    try (JsonParser parser = JSON.createParser(line)) {
      for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.FIELD_NAME) {
          switch (parser.currentName()) {
            case "type" -> type = parser.nextTextValue();
            case "name" -> name = parser.nextTextValue();
            case Fleet.SENTINEL -> restored = true;
            case Fleet.PLAIN -> plain = parser.nextTextValue();
            case "managedFields", "spec" -> {
              return new Event(type, name, restored, plain);
            }
            default -> {}
          }
        }
      }
    }
    return new Event(type, name, restored, plain);
  }

  /** The ticket that a record holds, 0 when none. */
  static int ticket(byte[] line) throws IOException {
    try (JsonParser parser = JSON.createParser(line)) {
      for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.FIELD_NAME && parser.currentName().equals("record.json")) {
          return ticketIn(parser.nextTextValue());
        }
      }
    }
    return 0;
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
