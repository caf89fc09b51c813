package dev.nodekeeper.watch;

import static dev.nodekeeper.read.Documents.fields;
import static dev.nodekeeper.read.Documents.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.CodedInputStream;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.read.Documents;
import dev.nodekeeper.read.UnreadableObjectException;
import dev.nodekeeper.read.Wire;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.List;
import java.util.function.Consumer;

/** One page of a list, read while it arrives. */
final class Page<T> {
  private final Feed<T> feed;
  private final List<T> items;
  private final Consumer<String> next;
  private String rv = "";

  private Page(Feed<T> feed, List<T> items, Consumer<String> next) {
    this.feed = feed;
    this.items = items;
    this.next = next;
  }

  /**
   * @param items to which its own are added; worth nothing when it cannot be read
   * @param next is told where the next page is, before the items of this one are read
   * @return the revision of the list
   */
  static <T> long read(InputStream body, Feed<T> feed, List<T> items, Consumer<String> next)
      throws IOException {
    var page = new Page<>(feed, items, next);
    page.read(body);
    if (!Origin.isRevision(page.rv)) {
      throw new UnreadableObjectException(
          "a list of %s with resourceVersion '%s'".formatted(feed.resource(), page.rv));
    }
    return Long.parseLong(page.rv);
  }

  private void read(InputStream body) throws IOException {
    var list = new PushbackInputStream(body);
    int first = list.read();
    if (first >= 0) {
      list.unread(first);
    }
    if (Wire.isJson(first)) {
      readJson(list);
    } else {
      Wire.object(Wire.open(list), this::readWire);
    }
  }

  private void goOn(String token) {
    if (!token.isEmpty()) {
      next.accept(token);
    }
  }

  // ---- JSON

  private void readJson(InputStream json) throws IOException {
    try (JsonParser parser = Documents.open(json)) {
      fields(
          parser,
          (name, value) -> {
            switch (name) {
              case "metadata" -> fields(value, this::metadata);
              case "items" -> items(value);
              default -> {}
            }
          });
    }
  }

  private void metadata(String field, JsonParser value) throws IOException {
    switch (field) {
      case "resourceVersion" -> rv = text(value);
      case "continue" -> goOn(text(value));
      default -> {}
    }
  }

  private void items(JsonParser parser) throws IOException {
    if (parser.currentToken() == JsonToken.START_ARRAY) {
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        feed.read(parser).ifPresent(items::add);
      }
    }
  }

  // ---- protobuf

  private boolean readWire(CodedInputStream list) throws IOException {
    Wire.fields(list, this::field);
    return true;
  }

  private boolean field(int number, CodedInputStream value) throws IOException {
    switch (number) {
      case 1 -> Wire.message(value, this::metadata);
      case 2 -> Wire.within(value, feed::read).ifPresent(items::add);
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean metadata(int number, CodedInputStream value) throws IOException {
    switch (number) {
      case 2 -> rv = value.readString();
      case 3 -> goOn(value.readString());
      default -> {
        return false;
      }
    }
    return true;
  }
}
