package dev.nodekeeper.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ServerClockTest {
  private final AtomicLong nanos = new AtomicLong(-7);
  private final ServerClock clock = new ServerClock(nanos::get);

  @Test
  @DisplayName("the server's time runs on between its replies, and follows them when it is set")
  void runs() {
    assertThat(clock.millis()).isZero();
    clock.hear("nonsense");
    assertThat(clock.millis()).isZero();
    clock.hear("Sun, 15 Nov 2026 17:43:28 GMT");
    nanos.addAndGet(Duration.ofMillis(500).toNanos());
    clock.hear("Sun, 15 Nov 2026 17:43:29 GMT");
    assertThat(now()).isEqualTo("2026-11-15T17:43:28.500Z");
    nanos.addAndGet(Duration.ofSeconds(90).toNanos());
    clock.hear("Sun, 15 Nov 2020 17:43:29 GMT");
    assertThat(now()).isEqualTo("2020-11-15T17:43:29Z");
  }

  private String now() {
    return Instant.ofEpochMilli(clock.millis()).toString();
  }
}
