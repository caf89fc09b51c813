package dev.nodekeeper.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WatchHealthTest {
  private final AtomicLong nanos = new AtomicLong();
  private final WatchHealth health = new WatchHealth("nodes", nanos::get);

  @Test
  @DisplayName("not ready before the first list, and it says why")
  void unlisted() {
    health.broken("403 Forbidden");

    assertThat(health.problem()).hasValue("the nodes are not listed yet: 403 Forbidden");
  }

  @Test
  @DisplayName("a watch may be broken for two minutes, counted from the first failure")
  void broken() {
    health.listed();
    health.connected();
    pass(Duration.ofHours(1));
    health.broken("cut");
    pass(Duration.ofSeconds(119));
    health.broken("refused");
    assertThat(health.problem()).isEmpty();

    pass(Duration.ofSeconds(2));
    assertThat(health.problem())
        .hasValue("the watch of the nodes has been broken for 121 s: refused");

    health.connected();
    assertThat(health.problem()).isEmpty();
  }

  @Test
  @DisplayName("only a restart helps when nobody tries any more, however broken the server is")
  void dead() {
    for (int i = 0; i < 100; i++) {
      pass(Duration.ofMinutes(9));
      health.broken("refused");
      assertThat(health.death()).isEmpty();
    }
    pass(Duration.ofSeconds(601));
    assertThat(health.death()).hasValue("nobody has watched the nodes for 601 s");
  }

  @Test
  @DisplayName("age is the time since the server was last heard of")
  void age() {
    pass(Duration.ofSeconds(7));
    assertThat(health.age()).isEqualTo(7.0);
    health.heard();
    assertThat(health.age()).isZero();
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
