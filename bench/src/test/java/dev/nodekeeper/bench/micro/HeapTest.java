package dev.nodekeeper.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a node takes in our memory")
final class HeapTest {
  private static final int NODES = 8_000;
  private static final Map<String, Long> BYTES = measure();

  private static Map<String, Long> measure() {
    Heap.perNode(NODES / 10); // classes, and what all nodes share
    return Heap.perNode(NODES);
  }

  private static long bytes(String when) {
    return Objects.requireNonNull(BYTES.get(when), when);
  }

  @Test
  @DisplayName("is little for as long as a node that returned waits: its record stays packed")
  void waiting() {
    assertThat(bytes("listed, all are to be restored")).isLessThan(1_050);
  }

  @Test
  @DisplayName("is little once it was restored after a start, which is what stays")
  void restored() {
    assertThat(bytes("restored after a start")).isLessThan(1_050);
  }

  @Test
  @DisplayName("hardly grows while all nodes are listed again")
  void listedAgain() {
    assertThat(bytes("nodes listed again") - bytes("restored after a start")).isLessThan(200);
  }

  @Test
  @DisplayName("a deletion and a return add a fraction of it, and an hour later that is gone")
  void storm() {
    long edited = bytes("edited and captured");
    long deleted = bytes("deleted");

    assertThat(bytes("captured")).isLessThan(880);
    assertThat(edited - bytes("captured")).isLessThan(300);
    assertThat(deleted - edited).isLessThan(250);
    assertThat(bytes("returned and restored") - deleted).isLessThan(400);
    assertThat(bytes("an hour later")).isLessThan(1_060);
  }
}
