package dev.nodekeeper.bench.phase;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.nodekeeper.api.Api;
import dev.nodekeeper.bench.load.Fleet;
import dev.nodekeeper.bench.load.Loader;
import dev.nodekeeper.bench.load.Pages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Every node and every record beside what people want. Written without any code of ours. */
final class Check {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int EXAMPLES = 5;
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final String PASSING = "node.kubernetes.io/";

  private final Fleet fleet;
  private final BitSet nodes = new BitSet();
  private final BitSet records = new BitSet();
  private final List<String> examples = new ArrayList<>();
  private int lost;
  private int stale;
  private int overwritten;

  private Check(Fleet fleet) {
    this.fleet = fleet;
  }

  /**
   * @param lost a label, a taint or a whole record is not there
   * @param stale a record says something older, or something came back that people took away
   * @param overwritten a node has another value than people gave it last
   */
  record Verdict(int lost, int stale, int overwritten, List<String> examples) {
    boolean clean() {
      return lost + stale + overwritten == 0;
    }
  }

  /** Looks until all is as it should be, or the time is up: then what is wrong stays wrong. */
  static Verdict within(Duration limit, Api api, Fleet fleet) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      var verdict = new Check(fleet).look(api);
      if (verdict.clean() || System.nanoTime() > deadline) {
        return verdict;
      }
      Loader.pause(PAUSE);
    }
  }

  private Verdict look(Api api) {
    Pages.each(api, Stand.NODES, this::node);
    Pages.each(api, Stand.RECORDS, this::record);
    for (int i = 0; i < fleet.size(); i++) {
      if (!nodes.get(i) || !records.get(i)) {
        lost++;
        example(fleet.name(i) + ": " + (nodes.get(i) ? "no record" : "no node"));
      }
    }
    return new Verdict(lost, stale, overwritten, List.copyOf(examples));
  }

  private void node(JsonNode node) {
    int index = fleet.index(node.path("metadata").path("name").asText());
    if (index < 0) {
      return;
    }
    nodes.set(index);
    var labels = new TreeMap<String, String>();
    node.path("metadata")
        .path("labels")
        .properties()
        .forEach(
            label -> {
              if (!Fleet.isFact(label.getKey())) {
                labels.put(label.getKey(), label.getValue().asText());
              }
            });
    overwritten += compare("node ", index, labels, node.path("spec").path("taints"));
  }

  private void record(JsonNode map) {
    int index = fleet.index(map.path("metadata").path("name").asText());
    if (index < 0) {
      return;
    }
    records.set(index);
    try {
      var record = JSON.readTree(map.path("data").path("record.json").asText());
      var labels = new TreeMap<String, String>();
      record
          .path("labels")
          .properties()
          .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
      stale += compare("record ", index, labels, record.path("taints"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Counts what is missing as lost and what should be gone as stale; returns what differs. */
  private int compare(String where, int index, Map<String, String> labels, JsonNode taints) {
    int different = 0;
    var wanted = fleet.labels(index);
    for (var label : wanted.entrySet()) {
      var found = labels.remove(label.getKey());
      if (found == null) {
        lost++;
        example(where + fleet.name(index) + " lacks " + label);
      } else if (!found.equals(label.getValue())) {
        different++;
        example(where + fleet.name(index) + " has " + found + " for " + label);
      }
    }
    var missing = new TreeSet<>(fleet.taints(index));
    var beyond = new TreeSet<>(labels.keySet());
    for (var taint : taints) {
      var text =
          "%s=%s:%s"
              .formatted(
                  taint.path("key").asText(),
                  taint.path("value").asText(),
                  taint.path("effect").asText());
      if (!missing.remove(text) && !text.startsWith(PASSING)) {
        beyond.add(text);
      }
    }
    lost += missing.size();
    stale += beyond.size();
    if (!missing.isEmpty() || !beyond.isEmpty()) {
      example(where + fleet.name(index) + " lacks " + missing + " and has " + beyond);
    }
    return different;
  }

  private void example(String text) {
    if (examples.size() < EXAMPLES) {
      examples.add(text);
    }
  }
}
