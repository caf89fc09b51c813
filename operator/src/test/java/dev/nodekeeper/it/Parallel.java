package dev.nodekeeper.it;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Many people at once, as many as the API server takes from one machine. */
public final class Parallel {
  private static final int PEOPLE = 16;

  private Parallel() {}

  public static <T> void each(Collection<T> all, Consumer<T> action) {
    try (var threads = Executors.newFixedThreadPool(PEOPLE, Thread.ofVirtual().factory())) {
      List<Future<?>> results = new ArrayList<>();
      all.forEach(one -> results.add(threads.submit(() -> action.accept(one))));
      for (Future<?> result : results) {
        result.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
