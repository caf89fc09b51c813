package dev.nodekeeper.api;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** One page of a list over TLS, by a connection that stays open for the next page. */
final class DirectAsked implements Api.Asked {
  private final URI server;
  private final Duration timeout;
  private final Tap tap;
  private final FutureTask<DirectBody> opening;
  private final Consumer<Tap> release;
  private boolean whole;

  /**
   * @param open sends the request, and waits until there is an answer
   * @param release gets the tap when it can be used again
   */
  DirectAsked(
      URI server,
      Duration timeout,
      Tap tap,
      Callable<DirectBody> open,
      Executor threads,
      Consumer<Tap> release) {
    this.server = server;
    this.timeout = timeout;
    this.tap = tap;
    this.opening = new FutureTask<>(open);
    this.release = release;
    threads.execute(opening);
  }

  @Override
  public <T> T read(Api.BodyReader<T> reader) throws IOException {
    long began = System.nanoTime();
    DirectBody answer = opened();
    Duration left = timeout.minusNanos(System.nanoTime() - began);
    T read;
    try (var body = new TimedBody(answer.shared(), tap, server, left)) {
      read = reader.read(body);
    }
    whole = true;
    return read;
  }

  private DirectBody opened() throws IOException {
    try {
      return opening.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new UnreachableException(
          server, "nothing within " + timeout.toMillis() / 1e3 + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException(server, "interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException("cannot ask " + server, e.getCause());
    }
  }

  @Override
  public void close() {
    if (whole) {
      release.accept(tap);
    } else {
      tap.close();
    }
  }
}
