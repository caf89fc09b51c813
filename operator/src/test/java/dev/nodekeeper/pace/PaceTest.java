package dev.nodekeeper.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PaceTest {
  private final AtomicLong nanos = new AtomicLong(-5);

  @Test
  @DisplayName("back-off doubles with jitter up to its maximum, and starts over after a reset")
  void backoff() {
    Backoff backoff =
        new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30), new SplittableRandom(7));

    assertThat(backoff.next()).isBetween(Duration.ofMillis(50), Duration.ofMillis(100));
    assertThat(backoff.next()).isBetween(Duration.ofMillis(100), Duration.ofMillis(200));
    for (int i = 0; i < 50; i++) {
      backoff.next();
    }
    assertThat(backoff.next()).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(30));
    backoff.reset();
    assertThat(backoff.next()).isBetween(Duration.ofMillis(50), Duration.ofMillis(100));
  }

  @Test
  @DisplayName("a burst is free, then requests are spread evenly")
  void bucket() {
    TokenBucket bucket = new TokenBucket(10, 3, nanos::get);

    for (int i = 0; i < 3; i++) {
      assertThat(bucket.reserve()).isZero();
    }
    assertThat(bucket.reserve()).isEqualTo(Duration.ofMillis(100));
    assertThat(bucket.reserve()).isEqualTo(Duration.ofMillis(200));
    nanos.addAndGet(Duration.ofHours(1).toNanos());
    for (int i = 0; i < 3; i++) {
      assertThat(bucket.reserve()).isZero();
    }
    assertThat(bucket.reserve()).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  @DisplayName("a pause holds everybody back")
  void pause() {
    TokenBucket bucket = new TokenBucket(1000, 10, nanos::get);

    bucket.pause(Duration.ofSeconds(2));

    assertThat(bucket.reserve()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  @DisplayName("a server that cannot keep up gets half as many at once, then slowly more again")
  void window() throws Exception {
    Window window = new Window(32, nanos::get);

    window.refused();
    window.refused();
    assertThat(window.size()).as("refused in one breath").isEqualTo(16);
    for (int i = 0; i < 10; i++) {
      nanos.addAndGet(Duration.ofSeconds(1).toNanos());
      window.refused();
    }
    assertThat(window.size()).isEqualTo(1);
    window.enter();
    Thread second =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    window.enter();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    assertThat(second.join(Duration.ofMillis(50))).as("waits for room").isFalse();
    window.leave();
    assertThat(second.join(Duration.ofSeconds(60))).isTrue();
    for (int i = 0; i < 600; i++) {
      window.taken();
    }
    assertThat(window.size()).isEqualTo(32);
  }

  @Test
  @DisplayName("stop ends a wait at once, and for good")
  void stop() {
    Stop stop = new Stop();
    assertThat(stop.await(Duration.ofMillis(1))).isFalse();

    Thread.ofVirtual().start(stop::signal);

    assertThat(stop.await(Duration.ofMinutes(1))).isTrue();
    assertThat(stop.signalled()).isTrue();
  }
}
