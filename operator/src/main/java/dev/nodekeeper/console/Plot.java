package dev.nodekeeper.console;

import java.util.List;
import java.util.Locale;

/** A small line of numbers as SVG, within the page. */
final class Plot {
  private static final int WIDTH = 120;
  private static final int HEIGHT = 28;

  private Plot() {}

  /** From the lowest to the highest; a number that does not change is a level line. */
  static void draw(Html html, String title, List<Long> numbers) {
    html.raw("<svg class=plot viewBox=\"0 0 120 30\" role=img><title>").text(title).raw("</title>");
    if (numbers.size() > 1) {
      long low = numbers.stream().mapToLong(Long::longValue).min().orElse(0);
      long high = numbers.stream().mapToLong(Long::longValue).max().orElse(0);
      StringBuilder points = new StringBuilder();
      for (int i = 0; i < numbers.size(); i++) {
        double x = (double) i * WIDTH / (numbers.size() - 1);
        double y = high == low ? HEIGHT / 2.0 : (double) (high - numbers.get(i)) / (high - low);
        points.append(
            String.format(Locale.ROOT, "%.1f,%.1f ", x, high == low ? y : 1 + y * (HEIGHT - 1)));
      }
      html.raw("<polyline").attribute("points", points.toString().strip()).raw("/>");
    }
    html.raw("</svg>");
  }
}
