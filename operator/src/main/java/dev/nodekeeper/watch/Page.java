package dev.nodekeeper.watch;

import static dev.nodekeeper.read.Documents.fields;
import static dev.nodekeeper.read.Documents.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.read.Documents;
import dev.nodekeeper.read.UnreadableObjectException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * The end of one page of a list.
 *
 * @param rv of the whole list: all its pages show the same revision
 * @param next token of the next page; empty after the last
 */
record Page(long rv, String next) {

  /**
   * Adds the items of a page to a list.
   *
   * <p>One item that cannot be read fails the list, because a list without it would say that it is
   * gone.
   */
  static <T> Page read(InputStream json, Feed<T> feed, List<T> into) throws IOException {
    String[] found = {"", ""};
    try (JsonParser parser = Documents.open(json)) {
      fields(
          parser,
          (name, value) -> {
            switch (name) {
              case "metadata" ->
                  fields(
                      value,
                      (field, text) -> {
                        switch (field) {
                          case "resourceVersion" -> found[0] = text(text);
                          case "continue" -> found[1] = text(text);
                          default -> {}
                        }
                      });
              case "items" -> items(value, feed, into);
              default -> {}
            }
          });
    }
    if (!Origin.isRevision(found[0])) {
      throw new UnreadableObjectException(
          "a list of %s with resourceVersion '%s'".formatted(feed.resource(), found[0]));
    }
    return new Page(Long.parseLong(found[0]), found[1]);
  }

  private static <T> void items(JsonParser parser, Feed<T> feed, List<T> into) throws IOException {
    if (parser.currentToken() == JsonToken.START_ARRAY) {
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        feed.read(parser).ifPresent(into::add);
      }
    }
  }
}
