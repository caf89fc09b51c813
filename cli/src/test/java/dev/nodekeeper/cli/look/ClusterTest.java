package dev.nodekeeper.cli.look;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.Lines;
import dev.nodekeeper.api.RefusedException;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.core.model.State;
import dev.nodekeeper.look.Cluster;
import dev.nodekeeper.look.Standing;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClusterTest {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/nodekeeper/configmaps";

  /** Answers what it was told, and 404 to the rest. */
  private static final class Canned implements Api {
    private final Map<String, Reply> replies = new HashMap<>();

    Canned says(String path, int status, String body) {
      replies.put(path, new Reply(status, body.getBytes(StandardCharsets.UTF_8), Duration.ZERO));
      return this;
    }

    @Override
    public Reply send(Call call) {
      assertThat(call.method()).isEqualTo("GET");
      Reply absent = new Reply(404, "{}".getBytes(StandardCharsets.UTF_8), Duration.ZERO);
      return replies.getOrDefault(call.path(), absent);
    }

    @Override
    public Lines watch(String path, String accept) {
      throw new UnsupportedOperationException(path);
    }

    @Override
    public URI server() {
      return URI.create("https://canned");
    }

    @Override
    public void close() {
      // Nothing is held.
    }
  }

  private static String object(String name, String more) {
    return "{\"metadata\": {\"name\": \"%s\", \"uid\": \"u\", \"resourceVersion\": \"5\"}%s}"
        .formatted(name, more);
  }

  private static String list(String next, String... items) {
    return "{\"metadata\": {\"resourceVersion\": \"9\", \"continue\": \"%s\"}, \"items\": [%s]}"
        .formatted(next, String.join(",", items));
  }

  private static Cluster cluster(Api api) throws Exception {
    return new Cluster(api, Settings.parse(Map.of(), Map.of()));
  }

  @Test
  @DisplayName(
      "all pages are read, records without a node are away, foreign ConfigMaps are left out")
  void all() throws Exception {
    var api =
        new Canned()
            .says("/api/v1/nodes?limit=500", 200, list("a/b", object("n2", "")))
            .says("/api/v1/nodes?limit=500&continue=a%2Fb", 200, list("", object("n1", "")))
            .says(
                CONFIG_MAPS + "?limit=500",
                200,
                list(
                    "",
                    object("n3", ", \"data\": {\"record.json\": \"{}\"}"),
                    object("kube-root-ca.crt", ", \"data\": {\"ca.crt\": \"x\"}")));
    assertThat(cluster(api).all())
        .extracting(standing -> standing.node() + " " + standing.state().word())
        .containsExactly("n1 current", "n2 current", "n3 away");
  }

  @Test
  @DisplayName("one name: node, record, both or nothing")
  void one() throws Exception {
    var api =
        new Canned()
            .says("/api/v1/nodes/n1", 200, object("n1", ""))
            .says(CONFIG_MAPS + "/n2", 200, object("n2", ", \"data\": {\"record.json\": \"{}\"}"));
    assertThat(cluster(api).one("n1")).get().extracting(Standing::state).isEqualTo(State.CURRENT);
    assertThat(cluster(api).one("n2")).get().extracting(Standing::state).isEqualTo(State.AWAY);
    assertThat(cluster(api).one("n3")).isEmpty();
  }

  @Test
  @DisplayName("a refusal is told, never taken for an empty list")
  void refused() throws Exception {
    var api = new Canned().says("/api/v1/nodes?limit=500", 403, "{\"message\": \"no\"}");
    Cluster cluster = cluster(api);
    assertThatThrownBy(cluster::all).isInstanceOf(RefusedException.class);
  }
}
