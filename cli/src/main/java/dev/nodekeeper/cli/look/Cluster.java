package dev.nodekeeper.cli.look;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.RefusedException;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Defect;
import dev.nodekeeper.core.model.Stored.Unreadable;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.read.Documents;
import dev.nodekeeper.read.NodeReader;
import dev.nodekeeper.read.RecordReader;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Nodes and records of one cluster, as they are now. */
public final class Cluster {
  private static final String NODES = "/api/v1/nodes";
  private static final int PAGE = 500;

  private final Api api;
  private final Policy policy;
  private final String namespace;
  private final NodeReader nodeReader;

  public Cluster(Api api, Settings settings) {
    this.api = api;
    this.policy = settings.policy();
    this.namespace = settings.namespace();
    this.nodeReader = new NodeReader(policy);
  }

  /** Every node and every record, by name. */
  public List<Standing> all() throws IOException {
    // Nodes first: a record that is newer than its node is an everyday sight for the core.
    Map<String, NodeState> nodes = byName(list(NODES, nodeReader::read), NodeState::name);
    Map<String, Stored> records = byName(list(recordsPath(), RecordReader::read), Stored::node);
    records.values().removeIf(stored -> foreign(stored) && !nodes.containsKey(stored.node()));
    SortedSet<String> names = new TreeSet<>(nodes.keySet());
    names.addAll(records.keySet());
    return names.stream()
        .map(
            name ->
                Standing.of(
                    name,
                    Optional.ofNullable(nodes.get(name)),
                    Optional.ofNullable(records.get(name)),
                    policy))
        .toList();
  }

  /** Empty when there is neither a node nor a record of this name. */
  public Optional<Standing> one(String name) throws IOException {
    String segment = encoded(name);
    Optional<NodeState> node = get(NODES + "/" + segment, nodeReader::read);
    Optional<Stored> stored = get(recordsPath() + "/" + segment, RecordReader::read);
    if (node.isEmpty()) {
      stored = stored.filter(found -> !foreign(found));
    }
    return node.isEmpty() && stored.isEmpty()
        ? Optional.empty()
        : Optional.of(Standing.of(name, node, stored, policy));
  }

  /** Somebody else's ConfigMap that happens to live in our namespace. */
  private static boolean foreign(Stored stored) {
    return stored instanceof Unreadable unreadable && unreadable.defect() == Defect.NOT_A_RECORD;
  }

  private String recordsPath() {
    return "/api/v1/namespaces/" + namespace + "/configmaps";
  }

  /** Reads one object; the parser stands on its opening brace. */
  private interface Reader<T> {
    T read(JsonParser parser) throws IOException;
  }

  private <T> Optional<T> get(String path, Reader<? extends T> reader) throws IOException {
    Reply reply = api.send(Call.get(path));
    if (reply.status() == 404) {
      return Optional.empty();
    }
    try (JsonParser parser = Documents.open(expect(path, reply))) {
      return Optional.of(reader.read(parser));
    }
  }

  private <T> List<T> list(String path, Reader<? extends T> reader) throws IOException {
    List<T> items = new ArrayList<>();
    String next = "";
    do {
      String more = next.isEmpty() ? "" : "&continue=" + encoded(next);
      byte[] page = expect(path, api.send(Call.get(path + "?limit=" + PAGE + more)));
      next = page(page, reader, items);
    } while (!next.isEmpty());
    return items;
  }

  /** Adds the items of a page; returns the token of the next one, empty after the last. */
  private static <T> String page(byte[] json, Reader<? extends T> reader, List<T> into)
      throws IOException {
    StringBuilder next = new StringBuilder();
    try (JsonParser parser = Documents.open(json)) {
      Documents.fields(
          parser,
          (name, value) -> {
            if (name.equals("metadata")) {
              Documents.fields(
                  value,
                  (field, text) -> {
                    if (field.equals("continue")) {
                      next.append(Documents.text(text));
                    }
                  });
            } else if (name.equals("items") && value.currentToken() == JsonToken.START_ARRAY) {
              while (value.nextToken() == JsonToken.START_OBJECT) {
                into.add(reader.read(value));
              }
            }
          });
    }
    return next.toString();
  }

  private static byte[] expect(String path, Reply reply) throws RefusedException {
    if (!reply.ok()) {
      throw new RefusedException("GET " + path, reply);
    }
    return reply.body();
  }

  private static <T> Map<String, T> byName(List<T> items, Function<T, String> name) {
    return items.stream()
        .collect(Collectors.toMap(name, Function.identity(), (a, b) -> b, TreeMap::new));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
