package dev.nodekeeper.watch;

import static dev.nodekeeper.read.Documents.fields;
import static dev.nodekeeper.read.Documents.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.nodekeeper.api.Failure;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.read.Documents;
import dev.nodekeeper.read.UnreadableObjectException;
import dev.nodekeeper.read.Wire;
import java.io.IOException;
import java.util.Optional;

/** One document of a watch. */
sealed interface WatchEvent<T> {

  /** An object came, changed or went; empty where it is none of our business. */
  record Changed<T>(Feed.Change change, Optional<T> item) implements WatchEvent<T> {}

  /** Everything up to this revision has been shown. */
  record Bookmark<T>(long rv) implements WatchEvent<T> {}

  /** The server ends the watch. */
  record Failed<T>(Failure failure) implements WatchEvent<T> {}

  static <T> WatchEvent<T> read(byte[] document, Feed<T> feed) throws IOException {
    return document.length > 0 && Wire.isJson(document[0])
        ? readJson(document, feed)
        : readWire(Wire.open(document), feed);
  }

  private static <T> WatchEvent<T> readJson(byte[] json, Feed<T> feed) throws IOException {
    try (JsonParser parser = Documents.open(json)) {
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
        case "BOOKMARK" -> bookmark(revision(parser));
        case "ERROR" -> {
          JsonNode status = parser.readValueAsTree();
          yield new Failed<>(Failure.of(500, status));
        }
        default -> new Changed<>(change(type), feed.readLast(parser));
      };
    }
  }

  private static Feed.Change change(String type) throws UnreadableObjectException {
    return switch (type) {
      case "ADDED" -> Feed.Change.ADDED;
      case "MODIFIED" -> Feed.Change.MODIFIED;
      case "DELETED" -> Feed.Change.DELETED;
      default -> throw new UnreadableObjectException("a watch event of type " + type);
    };
  }

  private static <T> Bookmark<T> bookmark(String rv) throws UnreadableObjectException {
    if (!Origin.isRevision(rv)) {
      throw new UnreadableObjectException("a bookmark with resourceVersion '" + rv + "'");
    }
    return new Bookmark<>(Long.parseLong(rv));
  }

  private static String revision(JsonParser parser) throws IOException {
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
    return rv[0];
  }

  /** The type comes first here too: fields are written in the order of their numbers. */
  private static <T> WatchEvent<T> readWire(CodedInputStream event, Feed<T> feed)
      throws IOException {
    if (WireFormat.getTagFieldNumber(event.readTag()) != 1) {
      throw new UnreadableObjectException("a watch event that does not begin with its type");
    }
    String type = event.readString();
    return Wire.only(event, 2, raw -> Wire.only(raw, 1, object -> readWire(type, object, feed)));
  }

  private static <T> WatchEvent<T> readWire(String type, CodedInputStream object, Feed<T> feed)
      throws IOException {
    return switch (type) {
      case "BOOKMARK" -> bookmark(Wire.object(object, Wire::revision));
      case "ERROR" -> new Failed<>(Failure.of(500, object));
      default -> {
        Feed.Change change = change(type);
        yield new Changed<>(change, Wire.object(object, feed::read));
      }
    };
  }
}
