package dev.nodekeeper.core.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.model.Key;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Touched keys")
class TouchesTest {
  private final SplittableRandom random = new SplittableRandom(1);

  @Test
  @DisplayName("are the map that they were made of, whatever the revisions")
  void packed() {
    for (int i = 0; i < 5_000; i++) {
      SortedMap<Key, Long> map = new TreeMap<>();
      long[] rvs = random.longs(1 + random.nextInt(3)).map(rv -> rv >>> 1 >>> (rv & 31)).toArray();
      for (int k = random.nextInt(30); k > 0; k--) {
        map.put(Key.label("key-" + random.nextInt(1000)), rvs[random.nextInt(rvs.length)]);
      }

      Touches touches = Touches.of(map);

      assertThat(touches.toMap()).isEqualTo(map);
      assertThat(touches).isEqualTo(Touches.of(map)).hasSameHashCodeAs(Touches.of(map));
      map.forEach((key, rv) -> assertThat(touches.at(key, -1)).isEqualTo(rv));
      assertThat(touches.at(Key.label("another"), -1)).isEqualTo(-1);
      long newest = map.values().stream().mapToLong(rv -> rv).max().orElse(0);
      assertThat(touches.noneAfter(newest)).isTrue();
      assertThat(touches.noneAfter(newest - 1)).isEqualTo(map.isEmpty());
      map.put(Key.label("one more"), newest);
      assertThat(Touches.of(map)).isNotEqualTo(touches);
    }
  }
}
