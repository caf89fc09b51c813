package dev.nodekeeper.api;

import java.time.Duration;

/** What the server said to one request. */
public final class Reply {
  private final int status;
  private final byte[] body;
  private final Duration retryAfter;

  public Reply(int status, byte[] body, Duration retryAfter) {
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }

  public int status() {
    return status;
  }

  public boolean ok() {
    return status >= 200 && status < 300;
  }

  /** Not copied: a page of a list has megabytes. */
  public byte[] body() {
    return body;
  }

  /** Zero when the server did not say. */
  public Duration retryAfter() {
    return retryAfter;
  }

  /** Of a reply that is not ok: why. */
  public Failure failure() {
    return Failure.of(status, body);
  }
}
