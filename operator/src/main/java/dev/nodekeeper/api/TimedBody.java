package dev.nodekeeper.api;

import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A body that must be read to its end within a time: a half-open connection stays silent for ever.
 */
final class TimedBody extends FilterInputStream {
  private final Closeable connection;
  private final URI server;
  private final Duration limit;
  private final ScheduledFuture<?> watchdog;
  private volatile boolean late;

  /**
   * @param connection which ends a read that waits when it is closed
   */
  TimedBody(InputStream in, Closeable connection, URI server, Duration limit) {
    super(in);
    this.connection = connection;
    this.server = server;
    this.limit = limit;
    this.watchdog =
        StreamLines.WATCHDOG.schedule(this::end, limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void end() {
    late = true;
    StreamLines.end(connection);
  }

  @Override
  public int read() throws IOException {
    try {
      return in.read();
    } catch (IOException e) {
      throw cut(e);
    }
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    try {
      return in.read(buffer, offset, length);
    } catch (IOException e) {
      throw cut(e);
    }
  }

  private UnreachableException cut(IOException e) {
    String why =
        late ? "not all of it within " + limit.toMillis() / 1e3 + " s" : "cut: " + e.getMessage();
    return new UnreachableException(server, why, e);
  }

  @Override
  public void close() throws IOException {
    watchdog.cancel(false);
    in.close();
  }
}
