package dev.nodekeeper.bench.phase;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.Lines;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.bench.load.Fleet;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The bench's last word: a check that cannot fail would be worth nothing")
final class CheckTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private final Fleet fleet = new Fleet(2, 1);
  private final List<ObjectNode> nodes = new ArrayList<>();
  private final List<ObjectNode> records = new ArrayList<>();

  /** Both lists as the API server would send them. */
  private final class Lists implements Api {
    @Override
    public Reply send(Call call) {
      var list = JSON.createObjectNode();
      list.putObject("metadata").put("resourceVersion", "7");
      list.putArray("items").addAll(call.path().startsWith(Stand.NODES) ? nodes : records);
      return new Reply(200, list.toString().getBytes(StandardCharsets.UTF_8), Duration.ZERO);
    }

    @Override
    public Lines watch(String path, String accept) {
      throw new UnsupportedOperationException();
    }

    @Override
    public URI server() {
      return URI.create("https://127.0.0.1");
    }

    @Override
    public void close() {
      // Nothing is held.
    }
  }

  CheckTest() throws Exception {
    for (int i = 0; i < fleet.size(); i++) {
      var node = (ObjectNode) JSON.readTree(fleet.everything(i, 0));
      ((ObjectNode) node.path("metadata")).put("name", fleet.name(i));
      nodes.add(node);
      var content = JSON.createObjectNode();
      content.set("labels", node.path("metadata").path("labels").deepCopy());
      content.set("taints", node.path("spec").path("taints").deepCopy());
      records.add(record(i, content));
    }
  }

  private ObjectNode record(int index, ObjectNode content) {
    var map = JSON.createObjectNode();
    map.putObject("metadata").put("name", fleet.name(index));
    map.putObject("data").put("record.json", content.toString());
    return map;
  }

  private ObjectNode labels() {
    return (ObjectNode) nodes.getFirst().path("metadata").path("labels");
  }

  private Check.Verdict verdict() {
    return Check.within(Duration.ZERO, new Lists(), fleet);
  }

  @Test
  @DisplayName("all as people want it: clean")
  void clean() {
    assertThat(verdict()).isEqualTo(new Check.Verdict(0, 0, 0, List.of()));
  }

  @Test
  @DisplayName("a label that is gone from a node, a taint, a record: lost")
  void lost() {
    labels().remove(Fleet.SENTINEL);
    assertThat(verdict().lost()).isEqualTo(1);
    ((ObjectNode) nodes.getLast().path("spec")).putArray("taints");
    assertThat(verdict().lost()).isEqualTo(4);
    records.removeLast();
    assertThat(verdict().lost()).isEqualTo(5);
  }

  @Test
  @DisplayName("another value on the node than a person gave it: overwritten")
  void overwritten() {
    labels().put(Fleet.TICKET, "t-1");
    assertThat(verdict().overwritten()).isEqualTo(1);
  }

  @Test
  @DisplayName("a record that has not followed, or a label that came back: stale")
  void stale() {
    fleet.edit(0);
    assertThat(verdict().stale()).as("the record").isEqualTo(1);
    assertThat(verdict().overwritten()).as("and the node").isEqualTo(1);
    labels().put("nobody.example/wants", "this");
    assertThat(verdict().stale()).isEqualTo(2);
  }

  @Test
  @DisplayName("the kubelet's own labels and passing taints are nobody's business")
  void notOurs() {
    labels().put("kubernetes.io/os", "linux");
    nodes
        .getFirst()
        .path("spec")
        .withArrayProperty("taints")
        .addObject()
        .put("key", "node.kubernetes.io/not-ready")
        .put("effect", "NoSchedule");
    assertThat(verdict().clean()).isTrue();
  }
}
