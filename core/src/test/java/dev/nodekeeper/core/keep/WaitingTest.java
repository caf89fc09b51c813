package dev.nodekeeper.core.keep;

import static dev.nodekeeper.core.Given.things;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.model.Taint;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Who waits for a free request")
class WaitingTest {
  private final Waiting waiting = new Waiting();

  private List<String> all() {
    List<String> order = new ArrayList<>();
    for (String name = waiting.next(); name != null; name = waiting.next()) {
      order.add(name);
    }
    return order;
  }

  @Test
  @DisplayName("comes by urgency, then by turns of the shards, then in the order of arrival")
  void order() {
    for (int i = 0; i < 3; i++) {
      waiting.add("flood-" + i, 2, 7, 10);
    }
    waiting.add("other-0", 2, 3, 20);
    waiting.add("other-1", 2, 3, 20);
    waiting.add("last", 3, 1, 5);
    waiting.add("first", 0, 9, 30);
    assertThat(all())
        .containsExactly("first", "flood-0", "other-0", "flood-1", "other-1", "flood-2", "last");
  }

  @Test
  @DisplayName("is counted once and as old as when it came first")
  void age() {
    assertThat(waiting.oldest()).isEmpty();
    waiting.add("a", 1, 0, 100);
    waiting.add("b", 3, 1, 50);
    waiting.add("b", 3, 1, 200);
    assertThat(waiting.size()).isEqualTo(2);
    assertThat(waiting.oldest()).hasValue(50);
    assertThat(all()).containsExactly("a", "b");
    assertThat(waiting.size()).isZero();
  }

  @Test
  @DisplayName("is urgent when pods come to the node until it is restored")
  void repels() {
    assertThat(things().taint("d", "x").content().repels()).isTrue();
    assertThat(things().cordon().content().repels()).isTrue();
    assertThat(things().taint(new Taint("d", "x", "NoExecute")).content().repels()).isTrue();
    assertThat(things().taint(new Taint("d", "x", "PreferNoSchedule")).content().repels())
        .isFalse();
    assertThat(things().label("team", "a").content().repels()).isFalse();
  }
}
