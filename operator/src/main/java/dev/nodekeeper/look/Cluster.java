package dev.nodekeeper.look;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.RefusedException;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.read.Documents;
import dev.nodekeeper.read.NodeReader;
import dev.nodekeeper.read.RecordReader;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Nodes and records of one cluster, as they are now. */
public final class Cluster {
  public static final String NODES = "/api/v1/nodes";

  private static final JsonMapper MAPPER = new JsonMapper();
  private static final int PAGE = 500;
  private static final String METADATA_LIST =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

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
        this.<NodeState>list(NODES, selector.query(), nodeReader::read, snapshot::put);
    snapshot.recordsRv = this.<Stored>list(recordsPath(), "", RecordReader::read, snapshot::put);
    return snapshot;
  }

  /** Of all nodes there are. */
  public Set<String> names() throws IOException {
    Set<String> names = new TreeSet<>();
    this.<String>list(
        NODES,
        "",
        METADATA_LIST,
        parser -> {
          JsonNode node = MAPPER.readTree(parser);
          return node.path("metadata").path("name").asText();
        },
        names::add);
    return names;
  }

  /** Empty when there is neither a node nor a record of this name. */
  public Optional<Standing> one(String name) throws IOException {
    Snapshot snapshot = new Snapshot(policy, Selector.ALL);
    this.<NodeState>get(NODES + "/" + encoded(name), nodeReader::read).ifPresent(snapshot::put);
    record(name).ifPresent(snapshot::put);
    return snapshot.standing(name);
  }

  /** What is in the place of its record. */
  public Optional<Stored> record(String name) throws IOException {
    return get(recordsPath() + "/" + encoded(name), RecordReader::read);
  }

  /** The whole Node, for what else it says. */
  public Optional<JsonNode> node(String name) throws IOException {
    return get(NODES + "/" + encoded(name), MAPPER::readTree);
  }

  /** The whole ConfigMap; NB: it holds the nonce. */
  public Optional<JsonNode> configMap(String name) throws IOException {
    return get(recordsPath() + "/" + encoded(name), MAPPER::readTree);
  }

  public NodeState readNode(JsonNode node) throws IOException {
    return nodeReader.read(node.toString().getBytes(StandardCharsets.UTF_8));
  }

  public String recordsPath() {
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

  private <T> long list(String path, String query, Reader<? extends T> reader, Consumer<T> into)
      throws IOException {
    return list(path, query, Call.JSON, reader, into);
  }

  /** The revision of the list. */
  private <T> long list(
      String path, String query, String accept, Reader<? extends T> reader, Consumer<T> into)
      throws IOException {
    Page page = new Page();
    do {
      String more = page.next.isEmpty() ? "" : "&continue=" + encoded(page.next);
      Call plain = Call.get(path + "?limit=" + PAGE + query + more);
      Call call = new Call("GET", plain.path(), Call.JSON, accept, "", plain.timeout());
      page = page(expect(path, api.send(call)), reader, into);
    } while (!page.next.isEmpty());
    return Origin.isRevision(page.rv) ? Long.parseLong(page.rv) : 0;
  }

  private static final class Page {
    private String next = "";
    private String rv = "";
  }

  private static <T> Page page(byte[] json, Reader<? extends T> reader, Consumer<T> into)
      throws IOException {
    Page page = new Page();
    try (JsonParser parser = Documents.open(json)) {
      Documents.fields(
          parser,
          (name, value) -> {
            if (name.equals("metadata")) {
              Documents.fields(
                  value,
                  (field, text) -> {
                    switch (field) {
                      case "continue" -> page.next = Documents.text(text);
                      case "resourceVersion" -> page.rv = Documents.text(text);
                      default -> {}
                    }
                  });
            } else if (name.equals("items") && value.currentToken() == JsonToken.START_ARRAY) {
              while (value.nextToken() == JsonToken.START_OBJECT) {
                into.accept(reader.read(value));
              }
            }
          });
    }
    return page;
  }

  private static byte[] expect(String path, Reply reply) throws RefusedException {
    if (!reply.ok()) {
      throw new RefusedException("GET " + path, reply);
    }
    return reply.body();
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
