package dev.nodekeeper.look;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.RefusedException;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.read.Documents;
import dev.nodekeeper.read.NodeReader;
import dev.nodekeeper.read.RecordReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Nodes and records of one cluster, as they are now. */
public final class Cluster {
  public static final String NODES = "/api/v1/nodes";

  private static final JsonMapper MAPPER = new JsonMapper();

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
    return snapshot(Selector.ALL).standings();
  }

  /** The nodes that the selector fits; of those that are away, what is in their record. */
  public Snapshot snapshot(Selector selector) throws IOException {
    Snapshot snapshot = new Snapshot(policy, selector);
    if (!selector.isAll()) {
      snapshot.others(names());
    }
    // Nodes first: a record that is newer than its node is an everyday sight for the core.
    snapshot.nodesRv =
        Pages.<NodeState>read(
            api, NODES, selector.query(), Call.JSON, nodeReader::read, snapshot::put);
    snapshot.recordsRv =
        Pages.<Stored>read(api, recordsPath(), "", Call.JSON, RecordReader::read, snapshot::put);
    return snapshot;
  }

  /** Of all nodes there are. */
  public Set<String> names() throws IOException {
    Set<String> names = new TreeSet<>();
    long _ =
        Pages.<JsonNode>read(
            api,
            NODES,
            "",
            Pages.METADATA,
            MAPPER::readTree,
            node -> names.add(node.path("metadata").path("name").asText()));
    return names;
  }

  /** Empty when there is neither a node nor a record of this name. */
  public Optional<Standing> one(String name) throws IOException {
    Snapshot snapshot = new Snapshot(policy, Selector.ALL);
    this.<NodeState>get(NODES + "/" + Pages.encoded(name), nodeReader::read)
        .ifPresent(snapshot::put);
    record(name).ifPresent(snapshot::put);
    return snapshot.standing(name);
  }

  /** The same of a node and a ConfigMap that were read already. */
  public Optional<Standing> standing(
      String name, Optional<JsonNode> node, Optional<JsonNode> configMap) throws IOException {
    Snapshot snapshot = new Snapshot(policy, Selector.ALL);
    if (node.isPresent()) {
      snapshot.put(readNode(node.get()));
    }
    if (configMap.isPresent()) {
      snapshot.put(readRecord(configMap.get()));
    }
    return snapshot.standing(name);
  }

  /** What is in the place of its record. */
  public Optional<Stored> record(String name) throws IOException {
    return get(recordsPath() + "/" + Pages.encoded(name), RecordReader::read);
  }

  /** The whole Node, for what else it says. */
  public Optional<JsonNode> node(String name) throws IOException {
    return get(NODES + "/" + Pages.encoded(name), MAPPER::readTree);
  }

  /** The whole ConfigMap; NB: it holds the nonce. */
  public Optional<JsonNode> configMap(String name) throws IOException {
    return get(recordsPath() + "/" + Pages.encoded(name), MAPPER::readTree);
  }

  public NodeState readNode(JsonNode node) throws IOException {
    return nodeReader.read(node.toString().getBytes(StandardCharsets.UTF_8));
  }

  public Stored readRecord(JsonNode configMap) throws IOException {
    return RecordReader.read(configMap.toString().getBytes(StandardCharsets.UTF_8));
  }

  public String recordsPath() {
    return "/api/v1/namespaces/" + namespace + "/configmaps";
  }

  private <T> Optional<T> get(String path, Pages.Reader<? extends T> reader) throws IOException {
    Reply reply = api.send(Call.get(path));
    if (reply.status() == 404) {
      return Optional.empty();
    }
    if (!reply.ok()) {
      throw new RefusedException("GET " + path, reply);
    }
    try (JsonParser parser = Documents.open(reply.body())) {
      return Optional.of(reader.read(parser));
    }
  }
}
