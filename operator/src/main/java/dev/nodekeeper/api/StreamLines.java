package dev.nodekeeper.api;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Documents of a response body, each a line of JSON or with its length before it, with a watchdog:
 * a half-open connection stays silent for ever, a living one sends a bookmark about every minute.
 */
final class StreamLines implements Lines {
  private static final long SILENCE_NANOS = Duration.ofSeconds(150).toNanos();
  private static final int LINE_MAX = 64 << 20;
  private static final int CHUNK = 32 << 10;

  /** The first byte of a length that is within bounds; no JSON begins so. */
  private static final int HIGHEST_BYTE = LINE_MAX >> 24;

  private static final int LENGTH_BYTES = 4;

  /** Longer than a read takes of what is there. */
  private static final long WAITED_NANOS = 200_000;

  static final ScheduledExecutorService WATCHDOG =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("watchdog").factory());

  private final InputStream in;
  private final URI server;
  private final LongSupplier nanos;
  private final ScheduledFuture<?> watchdog;
  private byte[] buffer = new byte[2 * CHUNK];
  private int start;
  private int end;

  /**
   * Since when the reader waits; 0 while it is busy elsewhere, which is no silence of the server.
   */
  private volatile long waitingSince;

  private volatile boolean silent;
  private boolean waited;

  StreamLines(InputStream in, URI server, LongSupplier nanos) {
    this.in = in;
    this.server = server;
    this.nanos = nanos;
    this.watchdog = WATCHDOG.scheduleWithFixedDelay(this::check, 10, 10, TimeUnit.SECONDS);
  }

  @Override
  public byte @Nullable [] next() throws IOException {
    int searched = 0;
    waited = false;
    while (true) {
      byte[] document = start < end && isLength(buffer[start]) ? measured() : line(searched);
      if (document != null) {
        return document;
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

  private static boolean isLength(byte first) {
    return first >= 0 && first <= HIGHEST_BYTE;
  }

  /** Null where it is not all there yet. */
  private byte @Nullable [] line(int searched) {
    for (int i = Math.max(start, searched); i < end; i++) {
      if (buffer[i] == '\n') {
        return take(start, i, i + 1);
      }
    }
    return null;
  }

  /** Likewise. */
  private byte @Nullable [] measured() {
    if (end - start < LENGTH_BYTES) {
      return null;
    }
    int from = start + LENGTH_BYTES;
    int length = ByteBuffer.wrap(buffer).getInt(start);
    return end - from < length ? null : take(from, from + length, from + length);
  }

  private byte[] take(int from, int to, int next) {
    start = next;
    return Arrays.copyOfRange(buffer, from, to);
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
    long began = nanos.getAsLong() | 1;
    waitingSince = began;
    try {
      int count = in.read(buffer, end, buffer.length - end);
      waited |= nanos.getAsLong() - began > WAITED_NANOS;
      return count;
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

  @Override
  public boolean waited() {
    return waited;
  }

  private void check() {
    long since = waitingSince;
    if (since != 0 && nanos.getAsLong() - since > SILENCE_NANOS) {
      silent = true;
      close();
    }
  }

  @Override
  public void close() {
    watchdog.cancel(false);
    end(in);
  }

  static void end(Closeable what) {
    try {
      what.close();
    } catch (IOException e) {
      // It is gone either way.
    }
  }
}
