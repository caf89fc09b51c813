package dev.nodekeeper.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a node takes in our memory")
final class HeapTest {
  private static final int NODES = 4_000;

  private static final Map<String, Long> BYTES = measure();

  private static Map<String, Long> measure() {
    Heap.perNode(NODES / 10); // classes, and what all nodes share
    return Heap.perNode(NODES);
  }

  @Test
  @DisplayName("is little for as long as a node that returned waits: its record stays packed")
  void waiting() {
    assertThat(BYTES.get("listed, all are to be restored")).isLessThan(1_600);
  }

  @Test
  @DisplayName("a deletion and a return add a fraction of it, and an hour later that is gone")
  void storm() {
    assertThat(BYTES.get("captured")).isLessThan(1_300);
    assertThat(BYTES.get("edited and captured") - BYTES.get("captured")).isLessThan(300);
    assertThat(BYTES.get("deleted") - BYTES.get("edited and captured")).isLessThan(250);
    assertThat(BYTES.get("returned and restored") - BYTES.get("deleted")).isLessThan(600);
    assertThat(BYTES.get("an hour later") - BYTES.get("edited and captured")).isLessThan(250);
  }
}
