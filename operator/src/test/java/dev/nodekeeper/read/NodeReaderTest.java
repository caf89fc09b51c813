package dev.nodekeeper.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Taint;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.core.policy.Policy.IdentityBy;
import dev.nodekeeper.core.policy.Policy.OnConflict;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NodeReaderTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NODE =
      """
      {"kind":"Node","apiVersion":"v1","metadata":{"name":"gpu-17","uid":"u1",
       "resourceVersion":"8123","creationTimestamp":"2026-01-01T00:00:00Z",
       "deletionTimestamp":"2026-01-02T00:00:00Z",
       "labels":{"team":"vision","kubernetes.io/hostname":"gpu-17"},
       "annotations":{"nodekeeper.dev/restored":"3.mac","nodekeeper.dev/withheld":"label:x",
                      "note":"grün"},
       "managedFields":[{"manager":"kubelet","fieldsV1":{"f:metadata":{"f:labels":{".":{}}}}}]},
       "spec":{"podCIDR":"10.0.0.0/24","providerID":"aws:///i-1","unschedulable":true,
        "taints":[{"key":"node.kubernetes.io/unreachable","effect":"NoExecute",
                   "timeAdded":"2026-01-01T00:00:00Z"},
                  {"key":"dedicated","value":"vision","effect":"NoSchedule"}]},
       "status":{"conditions":[{"type":"Ready","status":"True"}],
        "images":[{"names":["a","b"],"sizeBytes":1}],
        "nodeInfo":{"machineID":"m1","systemUUID":"s1","kernelVersion":"6"}}}
      """;

  private static final Policy EVERYTHING =
      new Policy(Set.of(Kind.values()), List.of(), OnConflict.NODE, IdentityBy.NAME);

  @Test
  @DisplayName("a Node is trimmed to what matters, its raw taints kept whole and in order")
  void trimmed() throws Exception {
    NodeState node = new NodeReader(Policy.DEFAULT).read(bytes(NODE));

    assertThat(node.name()).isEqualTo("gpu-17");
    assertThat(node.uid()).isEqualTo("u1");
    assertThat(node.rv()).isEqualTo(8123);
    assertThat(node.terminating()).isTrue();
    assertThat(node.marker()).isEqualTo("3.mac");
    assertThat(node.withheld()).isEqualTo("label:x");
    assertThat(node.identity()).isEqualTo(new Identity("aws:///i-1", "s1", "m1"));
    assertThat(node.taints())
        .containsExactly(
            new Taint("node.kubernetes.io/unreachable", "", "NoExecute", "2026-01-01T00:00:00Z"),
            new Taint("dedicated", "vision", "NoSchedule"));
    assertThat(node.content())
        .isEqualTo(
            Content.of(
                Map.of("team", "vision"), List.of(new Taint("dedicated", "vision", "NoSchedule"))));
    assertThat(node.hasLabels()).isTrue();
    assertThat(node.hasAnnotations()).isTrue();
  }

  @Test
  @DisplayName("the last one is read no further than it matters, in whatever order it is written")
  void last() throws Exception {
    var reader = new NodeReader(EVERYTHING);
    var whole = (ObjectNode) JSON.readTree(NODE);
    for (List<String> order :
        List.of(
            List.of("metadata", "spec", "status"),
            List.of("status", "spec", "metadata"),
            List.of("spec", "status", "kind", "metadata"),
            List.of("metadata", "status", "spec"))) {
      var node = JSON.createObjectNode();
      order.forEach(field -> node.set(field, whole.get(field)));
      try (var parser = Documents.open(bytes(node.toString()))) {
        assertThat(reader.readLast(parser)).isEqualTo(reader.read(bytes(NODE)));
      }
    }
    String images = ",\"images\":[" + "not even JSON";
    int end = NODE.indexOf("\"kernelVersion\":\"6\"}") + "\"kernelVersion\":\"6\"}".length();
    try (var parser = Documents.open(bytes(NODE.substring(0, end) + images))) {
      assertThat(reader.readLast(parser)).isEqualTo(reader.read(bytes(NODE)));
    }
  }

  @Test
  @DisplayName("with annotations and cordon kept, they are content, our own annotations never are")
  void everything() throws Exception {
    NodeState node = new NodeReader(EVERYTHING).read(bytes(NODE));

    assertThat(node.content().unschedulable()).isTrue();
    assertThat(node.content().named(Kind.ANNOTATION)).isEqualTo(Map.of("note", "grün"));
  }

  @Test
  @DisplayName("annotation bytes are UTF-8 bytes of all keys and values")
  void annotationBytes() throws Exception {
    String json = minimal("\"annotations\":{\"a\":\"ü€😀\"}");

    assertThat(new NodeReader(Policy.DEFAULT).read(bytes(json)).annotationBytes())
        .isEqualTo(1 + "ü€😀".getBytes(StandardCharsets.UTF_8).length);
  }

  @Test
  @DisplayName("a bare node: no labels, no annotations, no taints, null where maps could be")
  void bare() throws Exception {
    NodeState node =
        new NodeReader(Policy.DEFAULT).read(bytes(minimal("\"labels\":null,\"annotations\":null")));

    assertThat(node.hasLabels()).isFalse();
    assertThat(node.hasAnnotations()).isFalse();
    assertThat(node.content()).isEqualTo(Content.EMPTY);
    assertThat(node.terminating()).isFalse();
  }

  @Test
  @DisplayName("heartbeats: another status makes a node that looks the same, with shared keys")
  void heartbeat() throws Exception {
    NodeReader reader = new NodeReader(Policy.DEFAULT);
    NodeState before = reader.read(bytes(NODE));
    NodeState after =
        reader.read(bytes(NODE.replace("8123", "8124").replace("\"True\"", "\"False\"")));

    assertThat(after.looksLike(before)).isTrue();
    assertThat(after.content().keys().getFirst()).isSameAs(before.content().keys().getFirst());
  }

  @Test
  @DisplayName("a node without uid or with a revision that is no number is unreadable, by name")
  void unreadable() {
    String json = "{\"metadata\":{\"name\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"x\"}}";

    assertThatThrownBy(() -> new NodeReader(Policy.DEFAULT).read(bytes(json)))
        .isInstanceOf(UnreadableObjectException.class)
        .hasMessageContaining("'n'");
  }

  private static String minimal(String metadata) {
    return "{\"metadata\":{\"name\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"1\","
        + metadata
        + "}}";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
