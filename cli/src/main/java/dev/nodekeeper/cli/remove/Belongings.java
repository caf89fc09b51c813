package dev.nodekeeper.cli.remove;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.api.RefusedException;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.cli.AtOnce;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.look.Pages;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Records, leases and marks on nodes: found by what they are called, removed one by one. */
public final class Belongings {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final String OURS =
      "&labelSelector=" + encoded("app.kubernetes.io/managed-by=nodekeeper");
  private static final String UNMARK =
      "{\"metadata\":{\"annotations\":{\"%s\":null,\"%s\":null}}}"
          .formatted(NodeState.MARKER, NodeState.WITHHELD);

  private final HttpApi api;
  private final String records;
  private final String leases;

  public Belongings(HttpApi api, String namespace) {
    this.api = api;
    this.records = "/api/v1/namespaces/" + namespace + "/configmaps";
    this.leases = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
  }

  /** Node names. */
  public List<String> records() throws IOException {
    return list(records, OURS, Pages.METADATA).stream().map(Belongings::name).toList();
  }

  public List<String> leases() throws IOException {
    return list(leases, OURS, Pages.METADATA).stream().map(Belongings::name).toList();
  }

  /** Nodes that carry our annotations. */
  public List<String> marks() throws IOException {
    return list("/api/v1/nodes", "", Pages.METADATA).stream()
        .filter(
            node -> {
              JsonNode annotations = node.path("metadata").path("annotations");
              return annotations.has(NodeState.MARKER) || annotations.has(NodeState.WITHHELD);
            })
        .map(Belongings::name)
        .toList();
  }

  /** Somebody who still renews a lease: what we remove, it would make again. */
  public Optional<String> alive() throws IOException {
    Instant now = Instant.ofEpochMilli(api.serverMillis());
    return list(leases, OURS, Call.JSON).stream()
        .map(lease -> lease.path("spec"))
        .filter(spec -> !spec.path("holderIdentity").asText("").isEmpty())
        .filter(
            spec ->
                Instant.parse(spec.path("renewTime").asText("1970-01-01T00:00:00Z"))
                    .plusSeconds(spec.path("leaseDurationSeconds").asLong())
                    .isAfter(now))
        .map(spec -> spec.path("holderIdentity").asText())
        .findFirst();
  }

  public void removeRecords(List<String> names) throws IOException {
    each(names, name -> delete(records + "/" + encoded(name)));
  }

  public void removeLeases(List<String> names) throws IOException {
    each(names, name -> delete(leases + "/" + encoded(name)));
  }

  public void removeMarks(List<String> nodes) throws IOException {
    each(
        nodes,
        node ->
            Call.patch("/api/v1/nodes/" + encoded(node), "application/merge-patch+json", UNMARK));
  }

  private static Call delete(String path) {
    return new Call("DELETE", path, Call.JSON, Call.JSON, "", Duration.ofSeconds(15));
  }

  /** What is gone already is as good as removed. */
  private void each(List<String> names, Function<String, Call> request) throws IOException {
    List<Reply> _ =
        AtOnce.each(
            names,
            name -> {
              Call call = request.apply(name);
              Reply reply = api.send(call);
              if (!reply.ok() && reply.status() != 404) {
                throw new RefusedException(call.method() + " " + call.path(), reply);
              }
              return reply;
            },
            () -> {});
  }

  private List<JsonNode> list(String path, String selector, String accept) throws IOException {
    List<JsonNode> items = new ArrayList<>();
    long _ = Pages.<JsonNode>read(api, path, selector, accept, MAPPER::readTree, items::add);
    return items;
  }

  private static String name(JsonNode object) {
    return object.path("metadata").path("name").asText();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
