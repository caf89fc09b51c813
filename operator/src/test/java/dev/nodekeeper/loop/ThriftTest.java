package dev.nodekeeper.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.pace.Stop;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ThriftTest {
  private long heap;
  private boolean idle = true;
  private long work;
  private int collected;
  private final Thrift thrift =
      new Thrift(() -> heap, () -> idle, () -> work, this::collect, new Stop());

  private void collect() {
    collected++;
    heap = 100 << 20;
  }

  private int collectedAt(int megabytes) {
    heap = (long) megabytes << 20;
    thrift.look();
    return collected;
  }

  @Test
  @DisplayName("memory is given back when the heap has grown by a tenth, and not before")
  void grown() {
    assertThat(collectedAt(50)).isZero();
    assertThat(collectedAt(200)).isEqualTo(1);
    assertThat(collectedAt(109)).isEqualTo(1);
    assertThat(collectedAt(111)).isEqualTo(2);
  }

  @Test
  @DisplayName("and every five minutes where it has not grown")
  void longAgo() {
    collectedAt(50);
    assertThat(collectedAt(200)).isEqualTo(1);
    for (int look = 0; look < 60; look++) {
      assertThat(collectedAt(100)).isEqualTo(1);
    }
    assertThat(collectedAt(100)).isEqualTo(2);
    assertThat(collectedAt(100)).isEqualTo(2);
  }

  @Test
  @DisplayName("a small heap is left alone")
  void small() {
    for (int look = 0; look < 70; look++) {
      assertThat(collectedAt(64)).isZero();
    }
  }

  @Test
  @DisplayName("while there is work to do nothing is paused for it")
  void busy() {
    idle = false;
    assertThat(collectedAt(200)).isZero();
    assertThat(collectedAt(200)).isZero();
    idle = true;
    assertThat(collectedAt(200)).as("it has just become idle").isZero();
    assertThat(collectedAt(200)).isEqualTo(1);
  }

  @Test
  @DisplayName("nor between two pieces of work")
  void steady() {
    work = 1;
    assertThat(collectedAt(200)).isZero();
    work = 2;
    assertThat(collectedAt(200)).isZero();
    assertThat(collectedAt(200)).isEqualTo(1);
  }
}
