package dev.nodekeeper.bench.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/** Everything one run has to say. */
public final class Results {
  private final Map<String, Object> facts = new LinkedHashMap<>();
  private final Map<String, Figure> figures = new LinkedHashMap<>();
  private final Map<String, Map<String, Long>> requests = new LinkedHashMap<>();
  private final Map<String, String> profiles = new LinkedHashMap<>();
  private final List<Plot> plots = new ArrayList<>();

  /** How it was run. */
  public void fact(String name, Object value) {
    facts.put(name, value);
  }

  public void add(Figure figure) {
    figures.put(figure.key(), figure);
  }

  public void requests(String phase, Map<String, Long> byKind) {
    requests.put(phase, byKind);
  }

  public void profile(String phase, String text) {
    profiles.put(phase, text);
  }

  public void plot(Plot plot) {
    plots.add(plot);
  }

  public boolean has(String key) {
    return figures.containsKey(key);
  }

  public double value(String key) {
    var figure = figures.get(key);
    if (figure == null) {
      throw new NoSuchElementException("there is no figure " + key);
    }
    return figure.value();
  }

  public Collection<Figure> figures() {
    return figures.values();
  }

  Map<String, Object> facts() {
    return facts;
  }

  Map<String, Map<String, Long>> requests() {
    return requests;
  }

  Map<String, String> profiles() {
    return profiles;
  }

  List<Plot> plots() {
    return plots;
  }
}
