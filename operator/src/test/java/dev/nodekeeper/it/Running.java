package dev.nodekeeper.it;

import dev.nodekeeper.Nodekeeper;
import java.time.Duration;
import java.util.List;

/** Nodekeeper as people install it: one that does all, or one for each role. */
public record Running(List<Nodekeeper> parts) implements AutoCloseable {

  /** Of the one that captures, where there are two. */
  public int httpPort() {
    return parts.getFirst().httpPort();
  }

  public List<String> problems() {
    return parts.stream().flatMap(part -> part.problems().stream()).toList();
  }

  public boolean idle() {
    return parts.stream().allMatch(Nodekeeper::idle);
  }

  public boolean awaitReady(Duration timeout) {
    return parts.stream().allMatch(part -> part.awaitReady(timeout));
  }

  @Override
  public void close() {
    parts.forEach(Nodekeeper::close);
  }
}
