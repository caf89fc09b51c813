package dev.nodekeeper.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BalanceTest {

  @Test
  @DisplayName("any start: dues add up, differ by one at most, and nobody moves more than needed")
  void even() {
    SplittableRandom random = new SplittableRandom(5);
    for (int replicas = 1; replicas <= 20; replicas++) {
      for (int shards = 1; shards <= 64; shards++) {
        Map<String, Integer> held = new TreeMap<>();
        for (int i = 0; i < replicas; i++) {
          held.put("replica-" + i, 0);
        }
        for (int i = 0; i < shards; i++) {
          // Some of them are free.
          if (random.nextInt(5) > 0) {
            held.merge("replica-" + random.nextInt(replicas), 1, Integer::sum);
          }
        }
        Map<String, Integer> due = dues(held, shards);

        assertThat(due.values().stream().mapToInt(i -> i).sum()).isEqualTo(shards);
        var counts = due.values().stream().mapToInt(i -> i).summaryStatistics();
        assertThat(counts.getMax() - counts.getMin()).isLessThanOrEqualTo(1);
        // What must go, in the best case: everything above the larger due of the first so many.
        assertThat(given(held, due)).isEqualTo(fewest(held, shards));
        assertThat(dues(due, shards)).as("an even division stays").isEqualTo(due);
      }
    }
  }

  private static Map<String, Integer> dues(Map<String, Integer> held, int shards) {
    Map<String, Integer> due = new TreeMap<>();
    held.keySet().forEach(each -> due.put(each, Balance.due(each, held, shards)));
    return due;
  }

  private static int given(Map<String, Integer> held, Map<String, Integer> due) {
    return held.entrySet().stream()
        .mapToInt(each -> Math.max(0, each.getValue() - due.getOrDefault(each.getKey(), 0)))
        .sum();
  }

  /** The smallest number of shards that must leave their owner for an even division. */
  private static int fewest(Map<String, Integer> held, int shards) {
    int small = shards / held.size();
    int extras = shards % held.size();
    int above = held.values().stream().mapToInt(count -> Math.max(0, count - small)).sum();
    long larger = held.values().stream().filter(count -> count > small).count();
    return above - (int) Math.min(extras, larger);
  }

  @Test
  @DisplayName("more replicas than shards: those who hold one keep it, the others get none")
  void many() {
    Map<String, Integer> held = Map.of("a", 0, "b", 1, "c", 0, "d", 1);
    assertThat(dues(held, 2)).isEqualTo(Map.of("a", 0, "b", 1, "c", 0, "d", 1));
  }

  @Test
  @DisplayName("who does not take part is due nothing, and asking for it is a mistake")
  void stranger() {
    assertThatThrownBy(() -> Balance.due("x", Map.of("a", 1), 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
