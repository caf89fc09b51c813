package dev.nodekeeper.api;

import java.io.IOException;
import java.time.Duration;

/** The server answered, but with no. */
public final class RefusedException extends IOException {
  private final transient Failure failure;
  private final Duration retryAfter;

  public RefusedException(String what, Failure failure, Duration retryAfter) {
    super(what + " was refused: " + failure.text());
    this.failure = failure;
    this.retryAfter = retryAfter;
  }

  public RefusedException(String what, Reply reply) {
    this(what, reply.failure(), reply.retryAfter());
  }

  public Failure failure() {
    return failure;
  }

  public Duration retryAfter() {
    return retryAfter;
  }
}
