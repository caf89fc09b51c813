package dev.nodekeeper.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A small SVG: some series of points over one axis.
 *
 * @param name of the file, after the date
 */
public record Plot(String name, String title, String xUnit, String yUnit, List<Series> series) {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 300;
  private static final int LEFT = 64;
  private static final int RIGHT = 16;
  private static final int TOP = 40;
  private static final int BOTTOM = 44;
  private static final int TICKS = 5;
  private static final List<String> COLOURS = List.of("#1f6feb", "#d1242f", "#1a7f37", "#8250df");

  /** How its points are drawn. */
  public enum Style {
    DOTS,
    LINE
  }

  public record Point(double x, double y) {}

  public record Series(String label, Style style, List<Point> points) {}

  /** At most so many dots: a picture of 60,000 has megabytes and shows no more. */
  public static List<Point> thinned(List<Point> points, int most) {
    int step = Math.max(1, (points.size() + most - 1) / most);
    var kept = new ArrayList<Point>();
    for (int i = 0; i < points.size(); i += step) {
      kept.add(points.get(i));
    }
    return kept;
  }

  public String svg() {
    double maxX = max(Point::x);
    double maxY = max(Point::y);
    var svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">
        <rect width="100%%" height="100%%" fill="white"/>
        <text x="%d" y="18" font-size="14">%s</text>
        """
            .formatted(WIDTH, HEIGHT, LEFT, title));
    for (int i = 0; i <= TICKS; i++) {
      double share = (double) i / TICKS;
      double x = LEFT + share * (WIDTH - LEFT - RIGHT);
      double y = HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
      line(svg, LEFT, y, WIDTH - RIGHT, y);
      text(svg, LEFT - 6, y + 4, "end", Figure.number(share * maxY));
      text(svg, x, HEIGHT - BOTTOM + 16, "middle", Figure.number(share * maxX));
    }
    text(svg, (WIDTH + LEFT) / 2.0, HEIGHT - 8, "middle", xUnit);
    text(svg, LEFT - 6, TOP - 8, "end", yUnit);
    for (int i = 0; i < series.size(); i++) {
      var colour = COLOURS.get(i % COLOURS.size());
      draw(svg, series.get(i), colour, maxX, maxY);
      svg.append(
          "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"%s\">%s</text>%n"
              .formatted(WIDTH - RIGHT, TOP - 8 + 13 * i, colour, series.get(i).label()));
    }
    return svg.append("</svg>\n").toString();
  }

  private double max(ToDoubleFunction<Point> part) {
    double most =
        series.stream().flatMap(one -> one.points().stream()).mapToDouble(part).max().orElse(1);
    return most > 0 ? most : 1;
  }

  private static void draw(StringBuilder svg, Series one, String colour, double maxX, double maxY) {
    var path = new StringBuilder();
    for (var point : one.points()) {
      double x = LEFT + point.x() / maxX * (WIDTH - LEFT - RIGHT);
      double y = HEIGHT - BOTTOM - point.y() / maxY * (HEIGHT - TOP - BOTTOM);
      switch (one.style()) {
        case DOTS -> path.append(String.format(Locale.ROOT, "M%.1f %.1fh.01", x, y));
        case LINE -> path.append(path.isEmpty() ? "M" : "L").append(coordinates(x, y));
      }
    }
    svg.append(
        "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-linecap=\"round\"/>%n"
            .formatted(path, colour));
  }

  private static String coordinates(double x, double y) {
    return String.format(Locale.ROOT, "%.1f %.1f", x, y);
  }

  private static void line(StringBuilder svg, double x1, double y1, double x2, double y2) {
    svg.append(
        String.format(
            Locale.ROOT, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#ddd\"/>%n", x1, y1, x2, y2));
  }

  private static void text(StringBuilder svg, double x, double y, String anchor, String words) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
            x,
            y,
            anchor,
            words));
  }
}
