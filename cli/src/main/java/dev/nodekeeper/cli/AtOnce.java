package dev.nodekeeper.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many requests, a few at a time, results in order. */
public final class AtOnce {
  private static final int FEW = 16;

  private AtOnce() {}

  /** What is done with one. */
  public interface Work<T, R> {
    R on(T item) throws IOException;
  }

  /** All are tried; the first failure is thrown when all have ended. */
  public static <T, R> List<R> each(Collection<T> items, Work<T, R> work, Runnable afterEach)
      throws IOException {
    List<Callable<R>> tasks = new ArrayList<>();
    for (T item : items) {
      tasks.add(
          () -> {
            try {
              return work.on(item);
            } finally {
              afterEach.run();
            }
          });
    }
    List<R> results = new ArrayList<>();
    try (var threads = Executors.newFixedThreadPool(FEW, Thread.ofVirtual().factory())) {
      for (Future<R> done : threads.invokeAll(tasks)) {
        results.add(done.get());
      }
      return results;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException refused) {
        throw refused;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
