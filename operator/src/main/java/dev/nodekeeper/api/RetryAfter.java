package dev.nodekeeper.api;

import java.net.http.HttpHeaders;
import java.time.Duration;

/** The header with which a busy server asks for time. */
final class RetryAfter {
  private static final long MAX_SECONDS = 60;

  private RetryAfter() {}

  /** Zero when absent or not in seconds, which is the only form the API server uses. */
  static Duration of(HttpHeaders headers) {
    String text = headers.firstValue("Retry-After").orElse("");
    return text.matches("[0-9]{1,6}")
        ? Duration.ofSeconds(Math.min(MAX_SECONDS, Long.parseLong(text)))
        : Duration.ZERO;
  }
}
