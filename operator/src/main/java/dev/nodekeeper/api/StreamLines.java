package dev.nodekeeper.api;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lines of a response body, with a watchdog: a half-open connection stays silent for ever, a living
 * one sends a bookmark about every minute.
 */
final class StreamLines implements Lines {
  private static final long SILENCE_NANOS = Duration.ofSeconds(150).toNanos();
  private static final int LINE_MAX = 64 << 20;
  private static final int CHUNK = 32 << 10;

  static final ScheduledExecutorService WATCHDOG =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("watchdog").factory());

  private final InputStream in;
  private final URI server;
  private final ScheduledFuture<?> watchdog;
  private byte[] buffer = new byte[2 * CHUNK];
  private int start;
  private int end;

  /**
   * Since when the reader waits; 0 while it is busy elsewhere, which is no silence of the server.
   */
  private volatile long waitingSince;

  private volatile boolean silent;

  StreamLines(InputStream in, URI server) {
    this.in = in;
    this.server = server;
    this.watchdog = WATCHDOG.scheduleWithFixedDelay(this::check, 10, 10, TimeUnit.SECONDS);
  }

  @Override
  public byte @Nullable [] next() throws IOException {
    int searched = start;
    while (true) {
      for (int i = searched; i < end; i++) {
        if (buffer[i] == '\n') {
          byte[] line = Arrays.copyOfRange(buffer, start, i);
          start = i + 1;
          return line;
        }
      }
      makeRoom();
      searched = end;
      int count = read();
      if (count < 0) {
        // What is left is half an event; it comes again when the watch resumes.
        return null;
      }
      end += count;
    }
  }

  private void makeRoom() throws IOException {
    if (start > 0) {
      System.arraycopy(buffer, start, buffer, 0, end - start);
      end -= start;
      start = 0;
    }
    if (buffer.length - end < CHUNK) {
      if (buffer.length >= LINE_MAX) {
        throw new IOException("A watch event is longer than " + LINE_MAX + " bytes");
      }
      buffer = Arrays.copyOf(buffer, buffer.length * 2);
    }
  }

  private int read() throws IOException {
    waitingSince = System.nanoTime() | 1;
    try {
      return in.read(buffer, end, buffer.length - end);
    } catch (IOException e) {
      String detail =
          silent
              ? "the watch was silent for " + SILENCE_NANOS / 1_000_000_000 + " s"
              : "the watch was cut: " + e.getMessage();
      throw new UnreachableException(server, detail, e);
    } finally {
      waitingSince = 0;
    }
  }

  private void check() {
    long since = waitingSince;
    if (since != 0 && System.nanoTime() - since > SILENCE_NANOS) {
      silent = true;
      close();
    }
  }

  @Override
  public void close() {
    watchdog.cancel(false);
    end(in);
  }

  static void end(InputStream in) {
    try {
      in.close();
    } catch (IOException e) {
      // It is gone either way.
    }
  }
}
