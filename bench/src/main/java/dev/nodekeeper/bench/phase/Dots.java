package dev.nodekeeper.bench.phase;

import dev.nodekeeper.bench.measure.Samples;
import dev.nodekeeper.bench.report.Plot;

/** Samples as a cloud of points. */
final class Dots {
  private static final int MOST = 3000;

  private Dots() {}

  static Plot.Series of(String label, Samples samples) {
    var points =
        samples.list().stream()
            .map(sample -> new Plot.Point(sample.atSeconds(), sample.millis()))
            .toList();
    return new Plot.Series(label, Plot.Style.DOTS, Plot.thinned(points, MOST));
  }
}
