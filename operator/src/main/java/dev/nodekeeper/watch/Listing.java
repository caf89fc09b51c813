package dev.nodekeeper.watch;

import static dev.nodekeeper.read.Documents.fields;
import static dev.nodekeeper.read.Documents.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.read.Documents;
import dev.nodekeeper.read.UnreadableObjectException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A list, page by page: while one is read here, the server makes the next. */
final class Listing<T> implements AutoCloseable {
  private static final int PAGE = 500;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final Api api;
  private final Feed<T> feed;
  private final int page;
  private final List<T> items;
  private Api.@Nullable Asked ahead;
  private String rv = "";

  private Listing(Api api, Feed<T> feed, int page) {
    this.api = api;
    this.feed = feed;
    this.page = page;
    this.items = feed.emptyList();
    this.ahead = ask(api, feed, page, "");
  }

  static <T> Listing<T> start(Api api, Feed<T> feed) {
    return new Listing<>(api, feed, PAGE);
  }

  /** Where the server stands now. */
  static <T> long revision(Api api, Feed<T> feed) throws IOException {
    try (var listing = new Listing<>(api, feed, 1)) {
      listing.readPage();
      return listing.rv();
    }
  }

  private static Api.Asked ask(Api api, Feed<?> feed, int page, String from) {
    return api.ask(Call.get(feed.path() + "?limit=" + page + from).within(TIMEOUT));
  }

  /** Of all pages so far. */
  List<T> items() {
    return items;
  }

  /** Of the whole list: all its pages show the same revision. */
  long rv() {
    return Long.parseLong(rv);
  }

  /**
   * One item that cannot be read fails the list, because a list without it would say that it is
   * gone.
   *
   * @return whether there are more
   */
  boolean readPage() throws IOException {
    if (ahead == null) {
      throw new IllegalStateException("after the last page");
    }
    try (Api.Asked asked = ahead) {
      ahead = null;
      return asked.read(this::read);
    }
  }

  private boolean read(InputStream json) throws IOException {
    rv = "";
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
    if (!Origin.isRevision(rv)) {
      throw new UnreadableObjectException(
          "a list of %s with resourceVersion '%s'".formatted(feed.resource(), rv));
    }
    return ahead != null;
  }

  /** It stands before the items, so that the next page is asked for before they are read. */
  private void metadata(String field, JsonParser value) throws IOException {
    switch (field) {
      case "resourceVersion" -> rv = text(value);
      case "continue" -> {
        String token = text(value);
        if (page == PAGE && !token.isEmpty()) {
          String from = "&continue=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
          ahead = ask(api, feed, page, from);
        }
      }
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

  @Override
  public void close() {
    if (ahead != null) {
      ahead.close();
    }
  }
}
