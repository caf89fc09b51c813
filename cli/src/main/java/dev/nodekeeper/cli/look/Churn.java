package dev.nodekeeper.cli.look;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Lines;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Version;
import dev.nodekeeper.look.Cluster;
import dev.nodekeeper.look.Selector;
import dev.nodekeeper.look.Snapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What changes most: counted by two watches over a while, beside what records tell of before. */
public final class Churn {
  private static final JsonMapper MAPPER = new JsonMapper();

  private final Map<String, Counts> counts = new TreeMap<>();
  private final Map<String, Content> contents = new HashMap<>();

  /** Of one node. */
  private static final class Counts {
    private int registered;
    private int deleted;
    private int changed;
    private int written;
    private long versions;
    private long lives;

    private long recent() {
      return (long) registered + deleted + changed + written;
    }
  }

  /** Watches for that long; zero only reads what records tell. */
  public static Churn of(Api api, Cluster cluster, Selector selector, Duration span)
      throws IOException {
    Churn churn = new Churn();
    Snapshot snapshot = cluster.snapshot(selector);
    snapshot.records().forEach(churn::before);
    snapshot.nodes().forEach(node -> churn.contents.put(node.name(), node.content()));
    if (!span.isZero()) {
      churn.watch(api, cluster, selector, snapshot, span);
    }
    return churn;
  }

  private void before(Stored stored) {
    if (stored instanceof NodeRecord record) {
      Counts own = counts(record.node());
      own.versions = record.generation();
      own.lives =
          record.history().map(Version::uid).filter(uid -> !uid.isEmpty()).distinct().count();
    }
  }

  private Counts counts(String node) {
    return counts.computeIfAbsent(node, _ -> new Counts());
  }

  private void watch(Api api, Cluster cluster, Selector selector, Snapshot from, Duration span)
      throws IOException {
    BlockingQueue<JsonNode> events = new LinkedBlockingQueue<>();
    long until = System.nanoTime() + span.toNanos();
    String query = "?watch=true&resourceVersion=";
    try (Lines nodes = api.watch(Cluster.NODES + query + from.nodesRv() + selector.query());
        Lines records = api.watch(cluster.recordsPath() + query + from.recordsRv())) {
      Thread.ofVirtual().start(() -> read(nodes, events));
      Thread.ofVirtual().start(() -> read(records, events));
      for (long left = span.toNanos(); left > 0; left = until - System.nanoTime()) {
        JsonNode event = events.poll(left, TimeUnit.NANOSECONDS);
        if (event != null) {
          count(event, cluster);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void read(Lines lines, BlockingQueue<JsonNode> events) {
    try {
      for (byte[] line = lines.next(); line != null; line = lines.next()) {
        events.add(MAPPER.readTree(line));
      }
    } catch (IOException e) {
      // The time is up, or the server ended it: what came until then counts.
    }
  }

  private void count(JsonNode event, Cluster cluster) throws IOException {
    String type = event.path("type").asText();
    JsonNode object = event.path("object");
    String name = object.path("metadata").path("name").asText();
    if (object.path("kind").asText().equals("ConfigMap")) {
      counts(name).written++;
    } else if (object.path("kind").asText().equals("Node")) {
      node(type, name, cluster.readNode(object));
    }
  }

  /** A heartbeat is no change. */
  private void node(String type, String name, NodeState node) {
    switch (type) {
      case "ADDED" -> counts(name).registered++;
      case "DELETED" -> counts(name).deleted++;
      default -> {
        if (!node.content().equals(contents.get(name))) {
          counts(name).changed++;
        }
      }
    }
    contents.put(name, node.content());
  }

  private List<Map.Entry<String, Counts>> most(int limit) {
    return counts.entrySet().stream()
        .sorted(
            Comparator.comparing((Map.Entry<String, Counts> one) -> -one.getValue().recent())
                .thenComparing(one -> -one.getValue().versions)
                .thenComparing(Map.Entry::getKey))
        .limit(limit)
        .toList();
  }

  public List<String> lines(int limit) {
    Table table =
        new Table().row("NODE", "REGISTERED", "DELETED", "CHANGED", "WRITTEN", "VERSIONS", "LIVES");
    for (var one : most(limit)) {
      Counts own = one.getValue();
      table.row(
          one.getKey(),
          own.registered + "",
          own.deleted + "",
          own.changed + "",
          own.written + "",
          own.versions + "",
          own.lives + "");
    }
    return table.lines();
  }

  public ArrayNode json(int limit) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (var one : most(limit)) {
      Counts own = one.getValue();
      list.addObject()
          .put("node", one.getKey())
          .put("registered", own.registered)
          .put("deleted", own.deleted)
          .put("changed", own.changed)
          .put("written", own.written)
          .put("versions", own.versions)
          .put("lives", own.lives);
    }
    return list;
  }

  public List<String> names(int limit) {
    return most(limit).stream().map(one -> "node/" + one.getKey()).toList();
  }
}
