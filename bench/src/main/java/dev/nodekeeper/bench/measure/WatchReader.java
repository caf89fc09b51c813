package dev.nodekeeper.bench.measure;

import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Lines;
import dev.nodekeeper.bench.load.Pages;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** A watch from now on, read by a thread of its own. */
public final class WatchReader implements AutoCloseable {

  /** What to do with one event. */
  @FunctionalInterface
  public interface Handler {
    void event(byte[] line) throws IOException;
  }

  private final Lines lines;
  private final Thread thread;
  private volatile boolean closed;
  private volatile @Nullable String failure;

  private WatchReader(Lines lines, Handler handler) {
    this.lines = lines;
    this.thread = Thread.ofPlatform().daemon().name("bench-watch").start(() -> read(handler));
  }

  public static WatchReader start(Api api, String path, Handler handler) {
    String from = Pages.revision(api, path);
    try {
      var lines = api.watch(path + "?watch=true&timeoutSeconds=3600&resourceVersion=" + from);
      return new WatchReader(lines, handler);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes all events and looks at none: what any other client of the fleet costs the server. */
  public static WatchReader bare(Api api, String path) {
    return start(api, path, _ -> {});
  }

  private void read(Handler handler) {
    try {
      for (byte[] line = lines.next(); line != null; line = lines.next()) {
        handler.event(line);
      }
      failure = "the server ended it";
    } catch (IOException | RuntimeException e) {
      failure = e.toString();
    }
  }

  /** A figure of a watch that has ended early would be a lie. */
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
