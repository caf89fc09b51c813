package dev.nodekeeper.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.bench.report.Figure;
import dev.nodekeeper.bench.report.Results;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Growth: one more node costs as much in a large fleet as in a small one")
final class GrowthTest {
  private static final String WARM = "storm.cpu_ms_per_node";
  private static final String FRESH = "cold.cpu_ms_per_node";

  @ParameterizedTest(name = "{0}: {1} ms from 10,000 to 50,000 nodes, then {2} ms: {3}")
  @CsvSource({
    WARM + ", 2, 2.3, true",
    WARM + ", 2, 2.5, false",
    WARM + ", 2, 1.7, true",
    WARM + ", 2, 1.5, false",
    FRESH + ", 2, 2.3, true",
    FRESH + ", 2, 2.5, false",
    FRESH + ", 2, 0.5, true",
  })
  @DisplayName("flat within a fifth; a fresh JVM may get cheaper, never dearer")
  void flat(String key, double first, double second, boolean met) {
    var last = marginal(key, 50_000, 10_000, first, 100_000, second);

    assertThat(last.value()).isCloseTo(second, within());
    assertThat(last.ratio()).isCloseTo(second / first, within());
    assertThat(last.met()).isEqualTo(met);
  }

  @Test
  @DisplayName("what comes before 10,000 nodes is not judged")
  void small() {
    assertThat(marginal(WARM, 10_000, 1_000, 1, 50_000, 9).met()).isNull();
  }

  /** Three sizes of which one more node costs so much between the first two, then the last two. */
  private static Figure marginal(
      String key, int middle, int small, double first, int large, double second) {
    double start = 7_000; // what the JVM needs anyway
    double atSmall = start + small * first;
    double atMiddle = atSmall + (middle - small) * first;
    double atLarge = atMiddle + (large - middle) * second;
    var growth = new Growth();
    add(growth, key, large, atLarge);
    add(growth, key, small, atSmall);
    add(growth, key, middle, atMiddle);
    return growth.results().figures().stream()
        .filter(figure -> figure.key().equals(key + ".marginal." + large))
        .findFirst()
        .orElseThrow();
  }

  private static void add(Growth growth, String key, int nodes, double millis) {
    var results = new Results();
    results.add(Figure.of(key, "", millis / nodes, "ms"));
    growth.add(nodes, results);
  }

  private static Offset<Double> within() {
    return Offset.offset(1e-6);
  }
}
