package dev.nodekeeper.bench.measure;

import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.Lines;
import dev.nodekeeper.bench.load.Loader;
import dev.nodekeeper.bench.load.Pages;
import dev.nodekeeper.bench.report.Progress;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A watch from now on, read by a thread of its own. The server drops watchers that are slow, as any
 * is on a crowded machine: then it goes on where it was.
 */
public final class WatchReader implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(50);

  /** What to do with one event. */
  @FunctionalInterface
  public interface Handler {

    /** Returns the revision from which to go on after this event. */
    String event(byte[] line) throws IOException;
  }

  private final Api api;
  private final String path;
  private final String accept;
  private final Handler handler;
  private final Thread thread;
  private String from;
  private volatile Lines lines;
  private volatile boolean closed;
  private volatile @Nullable String failure;

  private WatchReader(Api api, String path, String accept, Handler handler) throws IOException {
    this.api = api;
    this.path = path;
    this.accept = accept;
    this.handler = handler;
    this.from = Pages.revision(api, path);
    this.lines = open();
    this.thread = Thread.ofPlatform().daemon().name("bench-watch").unstarted(this::run);
  }

  /** NB: in the form that the process under test asks for, so that the server makes it once. */
  static WatchReader nodes(Api api, String path, Handler handler) {
    return start(api, path, Call.PROTOBUF, handler);
  }

  static WatchReader records(Api api, String path, Handler handler) {
    return start(api, path, Call.JSON, handler);
  }

  private static WatchReader start(Api api, String path, String accept, Handler handler) {
    try {
      var reader = new WatchReader(api, path, accept, handler);
      reader.thread.start();
      return reader;
    } catch (IOException e) {
      throw new IllegalStateException("cannot watch " + path, e);
    }
  }

  /** Looks for nothing but the revision: what any other client of the fleet costs the server. */
  public static WatchReader bare(Api api, String path) {
    return nodes(api, path, document -> Event.ofNode(document).revision());
  }

  private Lines open() throws IOException {
    return api.watch(
        path + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=3600&resourceVersion=" + from,
        accept);
  }

  private void run() {
    try {
      while (!closed) {
        read();
        if (!closed) {
          Progress.line("(the bench's own watch was cut, and goes on)");
          Loader.pause(PAUSE);
          lines = open();
        }
      }
    } catch (IOException | RuntimeException e) {
      failure = e.toString();
    }
  }

  private void read() throws IOException {
    try (var open = lines) {
      for (byte[] line = next(open); line != null; line = next(open)) {
        from = handler.event(line);
      }
    }
  }

  /** A broken connection is an end like any other; what cannot be read is not. */
  private static byte @Nullable [] next(Lines open) {
    try {
      return open.next();
    } catch (IOException e) {
      return null;
    }
  }

  /** A figure of a watch that is over would be a lie. */
  public void demandOpen() {
    if (!closed && failure != null) {
      throw new IllegalStateException("The bench's own watch is over: " + failure);
    }
  }

  @Override
  public void close() {
    closed = true;
    lines.close();
    try {
      thread.join(5_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
