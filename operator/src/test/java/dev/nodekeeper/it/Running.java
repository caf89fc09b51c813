package dev.nodekeeper.it;

import dev.nodekeeper.Nodekeeper;
import java.time.Duration;
import java.util.List;

/** Nodekeeper as people install it: one that does all, or one for each role. */
public record Running(List<Part> parts) implements AutoCloseable {

  /** One process of ours. */
  interface Part extends AutoCloseable {
    int httpPort();

    /** What /readyz would complain about. */
    List<String> problems();

    /** Ready, and nothing to do as far as it has heard. */
    boolean idle();

    @Override
    void close();
  }

  /** In this JVM. */
  record Here(Nodekeeper keeper) implements Part {
    @Override
    public int httpPort() {
      return keeper.httpPort();
    }

    @Override
    public List<String> problems() {
      return keeper.problems();
    }

    @Override
    public boolean idle() {
      return keeper.idle();
    }

    @Override
    public void close() {
      keeper.close();
    }
  }

  /** Of the one that captures, where there are two. */
  public int httpPort() {
    return parts.getFirst().httpPort();
  }

  public List<String> problems() {
    return parts.stream().flatMap(part -> part.problems().stream()).toList();
  }

  public boolean idle() {
    return parts.stream().allMatch(Part::idle);
  }

  public boolean awaitReady(Duration timeout) throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!problems().isEmpty()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      Thread.sleep(20);
    }
    return true;
  }

  @Override
  public void close() {
    parts.forEach(Part::close);
  }
}
