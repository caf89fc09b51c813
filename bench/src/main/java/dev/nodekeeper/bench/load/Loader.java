package dev.nodekeeper.bench.load;

import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.api.UnreachableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/** Sends requests as fast as the server takes them, or at a given pace. */
public final class Loader {
  public static final String MERGE = "application/merge-patch+json";
  public static final String STRATEGIC = "application/strategic-merge-patch+json";

  /** As many as the operator has by default. */
  private static final int WRITERS = 32;

  /** Each request under way has a connection of its own. */
  private static final int CONNECTIONS = 64;

  private static final int TRIES = 5;
  private static final Duration PAUSE = Duration.ofMillis(300);

  private final Api api;
  private final Semaphore connections = new Semaphore(CONNECTIONS);

  public Loader(Api api) {
    this.api = api;
  }

  /** How fast something went. The first fifth is not in the warm rate. */
  public record Speed(int count, long nanos, long warmNanos) {
    public double seconds() {
      return nanos / 1e9;
    }

    public double perSecond() {
      return count / seconds();
    }

    public double warmPerSecond() {
      return (count - count / 5) / (warmNanos / 1e9);
    }
  }

  /** All of them, 32 at a time, each expected to succeed. */
  public Speed all(int count, IntFunction<Call> call, IntConsumer done) {
    return each(count, i -> send(call.apply(i)), done);
  }

  /** So many tasks, 32 at a time. */
  public static Speed each(int count, IntConsumer task, IntConsumer done) {
    var next = new AtomicInteger();
    var finished = new AtomicInteger();
    var warm = new AtomicLong();
    long began = System.nanoTime();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var writers = new ArrayList<Future<?>>();
      for (int w = 0; w < WRITERS; w++) {
        writers.add(
            threads.submit(
                () -> {
                  for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                    task.accept(i);
                    int n = finished.incrementAndGet();
                    if (n == count / 5) {
                      warm.set(System.nanoTime());
                    }
                    done.accept(n);
                  }
                }));
      }
      join(writers);
    }
    long ended = System.nanoTime();
    return new Speed(count, ended - began, ended - (warm.get() == 0 ? began : warm.get()));
  }

  /**
   * One task after the other at this rate, however long each takes; returns when all are over.
   *
   * @param atOnce tasks under way: a server that cannot keep up is not buried under more, and the
   *     rate falls
   */
  public static Speed paced(
      int count, double perSecond, int atOnce, IntConsumer task, IntConsumer done) {
    var finished = new AtomicInteger();
    var room = new Semaphore(atOnce);
    long began = System.nanoTime();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new ArrayList<Future<?>>();
      for (int i = 0; i < count; i++) {
        pause(began + (long) (i * 1e9 / perSecond) - System.nanoTime());
        room.acquireUninterruptibly();
        int index = i;
        running.add(
            threads.submit(
                () -> {
                  try {
                    task.accept(index);
                    done.accept(finished.incrementAndGet());
                  } finally {
                    room.release();
                  }
                }));
      }
      join(running);
    }
    long nanos = System.nanoTime() - began;
    return new Speed(count, nanos, nanos);
  }

  public static void pause(Duration time) {
    pause(time.toNanos());
  }

  private static void pause(long nanos) {
    if (nanos > 0) {
      try {
        Thread.sleep(Duration.ofNanos(nanos));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }
  }

  private static void join(Iterable<Future<?>> tasks) {
    try {
      for (var task : tasks) {
        task.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("A request of the loader failed: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * Until it has succeeded. A reply that got lost makes the second try find its own work done (409
   * for a creation, 404 for a deletion); a server in trouble is asked again.
   */
  public Reply send(Call call) {
    String problem = "";
    for (int attempt = 0; attempt < TRIES; attempt++) {
      try {
        Reply reply = sendOnce(call);
        boolean doneBefore = attempt > 0 && (reply.status() == 409 || reply.status() == 404);
        if (reply.ok() || doneBefore) {
          return reply;
        }
        problem = reply.failure().text();
        if (reply.status() != 429 && reply.status() < 500) {
          break;
        }
      } catch (UnreachableException e) {
        problem = e.getMessage();
      }
      pause(PAUSE);
    }
    throw new IllegalStateException(call.method() + " " + call.path() + ": " + problem);
  }

  private Reply sendOnce(Call call) throws UnreachableException {
    connections.acquireUninterruptibly();
    try {
      return api.send(call);
    } finally {
      connections.release();
    }
  }
}
