package dev.nodekeeper.watch;

import static dev.nodekeeper.read.Documents.fields;
import static dev.nodekeeper.read.Documents.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.api.Failure;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.read.Documents;
import dev.nodekeeper.read.UnreadableObjectException;
import java.io.IOException;
import java.util.Optional;

/** One line of a watch. */
sealed interface WatchEvent<T> {

  /** An object came, changed or went; empty where it is none of our business. */
  record Changed<T>(Feed.Change change, Optional<T> item) implements WatchEvent<T> {}

  /** Everything up to this revision has been shown. */
  record Bookmark<T>(long rv) implements WatchEvent<T> {}

  /** The server ends the watch. */
  record Failed<T>(Failure failure) implements WatchEvent<T> {}

  static <T> WatchEvent<T> read(byte[] line, Feed<T> feed) throws IOException {
    try (JsonParser parser = Documents.open(line)) {
      // The server always writes the type first, so the object is read once, and without a copy.
      if (!"type".equals(parser.nextFieldName())) {
        throw new UnreadableObjectException("a watch event that does not begin with its type");
      }
      String type = String.valueOf(parser.nextTextValue());
      if (!"object".equals(parser.nextFieldName())
          || parser.nextToken() != JsonToken.START_OBJECT) {
        throw new UnreadableObjectException("a watch event without an object");
      }
      return switch (type) {
        case "ADDED" -> new Changed<>(Feed.Change.ADDED, feed.readLast(parser));
        case "MODIFIED" -> new Changed<>(Feed.Change.MODIFIED, feed.readLast(parser));
        case "DELETED" -> new Changed<>(Feed.Change.DELETED, feed.readLast(parser));
        case "BOOKMARK" -> new Bookmark<>(revision(parser));
        case "ERROR" -> {
          JsonNode status = parser.readValueAsTree();
          yield new Failed<>(Failure.of(500, status));
        }
        default -> throw new UnreadableObjectException("a watch event of type " + type);
      };
    }
  }

  private static long revision(JsonParser parser) throws IOException {
    String[] rv = {""};
    fields(
        parser,
        (name, value) -> {
          if (name.equals("metadata")) {
            fields(
                value,
                (field, text) -> {
                  if (field.equals("resourceVersion")) {
                    rv[0] = text(text);
                  }
                });
          }
        });
    if (!Origin.isRevision(rv[0])) {
      throw new UnreadableObjectException("a bookmark with resourceVersion '" + rv[0] + "'");
    }
    return Long.parseLong(rv[0]);
  }
}
