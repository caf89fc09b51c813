package dev.nodekeeper.it.see;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One look at /metrics: values by series, as they are written there. */
record Scrape(Map<String, Double> series) {
  private static final Pattern STATE = Pattern.compile("state=\"([a-z-]+)\"");

  static Scrape of(int port) {
    return new Scrape(
        text(port)
            .lines()
            .filter(line -> !line.startsWith("#"))
            .collect(
                Collectors.toMap(
                    line -> line.substring(0, line.lastIndexOf(' ')),
                    line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))));
  }

  static String text(int port) {
    try (var page = URI.create("http://127.0.0.1:" + port + "/metrics").toURL().openStream()) {
      return new String(page.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Summed over all labels. */
  double sum(String name) {
    return series.entrySet().stream()
        .filter(one -> one.getKey().equals(name) || one.getKey().startsWith(name + "{"))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  double value(String exactly) {
    return series.getOrDefault(exactly, 0.0);
  }

  /** Owned nodes by state. */
  Map<String, Double> states() {
    return series.entrySet().stream()
        .filter(one -> one.getKey().startsWith("nodekeeper_owned_nodes{"))
        .collect(Collectors.toMap(one -> state(one.getKey()), Map.Entry::getValue, Double::sum));
  }

  private static String state(String series) {
    Matcher matcher = STATE.matcher(series);
    return matcher.results().map(match -> match.group(1)).findFirst().orElseThrow();
  }

  static double total(Iterable<Scrape> all, Function<Scrape, Double> part) {
    double total = 0;
    for (Scrape each : all) {
      total += part.apply(each);
    }
    return total;
  }
}
