package dev.nodekeeper.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.api.Lines;
import dev.nodekeeper.api.RefusedException;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.api.UnreachableException;
import dev.nodekeeper.config.Settings.ClusterSettings;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.core.policy.Policy.IdentityBy;
import dev.nodekeeper.core.policy.Policy.OnConflict;
import dev.nodekeeper.read.NodeReader;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.SharedControlPlane;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Protobuf says what JSON says")
final class WireIT {
  private static final String NODES = "/api/v1/nodes";
  private static final String MERGE = "application/merge-patch+json";

  /** Of everything something: what JSON escapes, what it leaves out, what is not ours. */
  private static final String ODD =
      """
      {"apiVersion": "v1", "kind": "Node",
       "metadata": {"name": "wire-odd", "finalizers": ["example.com/slow"],
         "labels": {"team": "vision", "empty": "", "kubernetes.io/hostname": "wire-odd",
           "node-role.kubernetes.io/gpu": ""},
         "annotations": {"nodekeeper.dev/restored": "7.x", "nodekeeper.dev/withheld": "[]", "none": "",
           "text": "a\\"b\\\\c\\n\\t\\u0001<>&", "far": "\\u00e4\\u20ac\\ud83d\\ude00"}},
       "spec": {"providerID": "cloud://zone/\\u00fc", "unschedulable": true, "podCIDR": "10.9.0.0/24",
         "taints": [{"key": "dedicated", "value": "vision", "effect": "NoSchedule"},
           {"key": "dedicated", "effect": "NoExecute", "timeAdded": "2026-01-02T03:04:05Z"},
           {"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"}]}}
      """;

  private static final String BARE =
      "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"wire-bare\"}}";

  private final ControlPlane plane = SharedControlPlane.get();
  private final NodeFeed nodes =
      new NodeFeed(
          new NodeReader(
              new Policy(Set.of(Kind.values()), List.of(), OnConflict.NODE, IdentityBy.NAME)));
  private HttpApi admin;
  private Api json;

  @BeforeEach
  void connect() throws Exception {
    admin = connect(plane.adminKubeconfig());
    json = new InJson(admin);
  }

  @AfterEach
  void clear() throws Exception {
    for (String name : List.of("wire-odd", "wire-bare")) {
      admin.send(Call.patch(NODES + "/" + name, MERGE, "{\"metadata\":{\"finalizers\":null}}"));
      admin.send(call("DELETE", NODES + "/" + name));
    }
    admin.close();
  }

  @Test
  @DisplayName("in lists, page by page")
  void lists() throws Exception {
    made(Call.post(NODES, ODD));
    made(Call.post(NODES, BARE));

    assertThat(list(admin)).isEqualTo(list(json)).hasSizeGreaterThan(1);
    assertThat(Listing.revision(admin, nodes)).isPositive();
  }

  @Test
  @DisplayName("in watches: made, changed, dying, gone")
  void watches() throws Exception {
    long rv = Listing.revision(json, nodes);
    made(Call.post(NODES, ODD));
    String odd = NODES + "/wire-odd";
    made(Call.patch(odd, MERGE, "{\"spec\":{\"unschedulable\":null,\"taints\":null}}"));
    made(Call.patch(odd, MERGE, "{\"metadata\":{\"labels\":null,\"annotations\":null}}"));
    made(
        Call.patch(
            odd + "/status",
            MERGE,
            """
            {"status":{"nodeInfo":{"machineID":"m-1","systemUUID":"4C4C4544","bootID":"","kernelVersion":"",
            "osImage":"","containerRuntimeVersion":"","kubeletVersion":"","kubeProxyVersion":"",
            "operatingSystem":"","architecture":""},"images":[{"names":["a"],"sizeBytes":1}]}}
            """));
    made(call("DELETE", odd));
    made(Call.patch(odd, MERGE, "{\"metadata\":{\"finalizers\":null}}"));

    List<WatchEvent<NodeState>> told = untilGone(admin, rv);

    assertThat(told).isEqualTo(untilGone(json, rv)).hasSizeGreaterThanOrEqualTo(6);
    assertThat(told)
        .filteredOn(event -> event instanceof WatchEvent.Changed<NodeState>)
        .map(event -> ((WatchEvent.Changed<NodeState>) event).item().orElseThrow())
        .anyMatch(NodeState::terminating)
        .anyMatch(node -> node.identity().systemUuid().equals("4C4C4544"))
        .anyMatch(node -> node.taints().stream().anyMatch(taint -> taint.timeAdded() != null));
  }

  @Test
  @DisplayName("in bookmarks, which some watches end with")
  void bookmarks() throws Exception {
    made(Call.post(NODES, BARE));

    assertThat(first("&resourceVersionMatch=NotOlderThan&sendInitialEvents=true"))
        .anyMatch(event -> event instanceof WatchEvent.Bookmark<NodeState>(long rv) && rv > 0);
  }

  @Test
  @DisplayName("when a list is refused")
  void refused() throws Exception {
    try (HttpApi nobody = connect(plane.kubeconfig("nobody"))) {
      var in = catchThrowableOfType(RefusedException.class, () -> list(nobody));
      var out = catchThrowableOfType(RefusedException.class, () -> list(new InJson(nobody)));
      assertThat(in.failure().text()).isEqualTo(out.failure().text()).startsWith("403 Forbidden: ");
    }
  }

  /** All that is told within three seconds. */
  private List<WatchEvent<NodeState>> first(String query) throws Exception {
    List<WatchEvent<NodeState>> events = new ArrayList<>();
    String path = NODES + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=3" + query;
    try (Lines lines = admin.watch(path, nodes.accept())) {
      for (byte[] line = lines.next(); line != null; line = lines.next()) {
        events.add(WatchEvent.read(line, nodes));
      }
    }
    return events;
  }

  private List<WatchEvent<NodeState>> untilGone(Api api, long rv) throws Exception {
    List<WatchEvent<NodeState>> events = new ArrayList<>();
    String path = NODES + "?watch=true&timeoutSeconds=30&resourceVersion=" + rv;
    try (Lines lines = api.watch(path, nodes.accept())) {
      for (byte[] line = lines.next(); line != null; line = lines.next()) {
        if (WatchEvent.read(line, nodes)
                instanceof WatchEvent.Changed<NodeState>(var change, var item)
            && item.orElseThrow().name().equals("wire-odd")) {
          events.add(new WatchEvent.Changed<>(change, item));
          if (change == Feed.Change.DELETED) {
            return events;
          }
        }
      }
    }
    throw new AssertionError("no end of wire-odd in " + events);
  }

  private List<NodeState> list(Api api) throws IOException {
    try (var listing = Listing.start(api, nodes)) {
      while (listing.readPage()) {
        assertThat(listing.items()).isNotEmpty();
      }
      return listing.items();
    }
  }

  private void made(Call call) throws IOException {
    Reply reply = admin.send(call);
    assertThat(reply.ok()).as(() -> reply.failure().text()).isTrue();
  }

  private static Call call(String method, String path) {
    return new Call(method, path, Call.JSON, Call.JSON, "", Duration.ofSeconds(15));
  }

  private static HttpApi connect(Path kubeconfig) throws Exception {
    return HttpApi.connect(new ClusterSettings(kubeconfig.toString(), ""));
  }

  /** As from a server that has no protobuf. */
  private record InJson(HttpApi api) implements Api {
    @Override
    public Reply send(Call call) throws UnreachableException {
      return api.send(call);
    }

    @Override
    public Asked ask(Call call) {
      return api.ask(call.accepting(Call.JSON));
    }

    @Override
    public Lines watch(String path, String accept) throws UnreachableException, RefusedException {
      return api.watch(path, Call.JSON);
    }

    @Override
    public URI server() {
      return api.server();
    }

    @Override
    public void close() {
      api.close();
    }
  }
}
