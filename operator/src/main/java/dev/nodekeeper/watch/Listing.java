package dev.nodekeeper.watch;

import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Call;
import java.io.IOException;
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
  private final int limit;
  private final List<T> items;
  private Api.@Nullable Asked ahead;
  private long rv;

  private Listing(Api api, Feed<T> feed, int limit) {
    this.api = api;
    this.feed = feed;
    this.limit = limit;
    this.items = feed.emptyList();
    this.ahead = ask("");
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

  private Api.Asked ask(String from) {
    return api.ask(
        Call.get(feed.path() + "?limit=" + limit + from).accepting(feed.accept()).within(TIMEOUT));
  }

  /** Told before the items of a page are read. */
  private void goOn(String token) {
    if (limit == PAGE) {
      ahead = ask("&continue=" + URLEncoder.encode(token, StandardCharsets.UTF_8));
    }
  }

  /** Of all pages so far. */
  List<T> items() {
    return items;
  }

  /** Of the whole list: all its pages show the same revision. */
  long rv() {
    return rv;
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
      List<T> page = feed.emptyList();
      rv = asked.read(body -> Page.read(body, feed, page, this::goOn));
      items.addAll(feed.familiar(page));
      return ahead != null;
    }
  }

  @Override
  public void close() {
    if (ahead != null) {
      ahead.close();
    }
  }
}
