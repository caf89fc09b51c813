package dev.nodekeeper.cli.up;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.read.NodeReader;
import dev.nodekeeper.read.RecordReader;
import dev.nodekeeper.testbed.Kube;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a machine should have again when it returns. */
final class Departure {
  private static final NodeReader READER = new NodeReader(Policy.DEFAULT);

  private Departure() {}

  /** The Node as it stands, or, where it is away already, what its record holds (no uid then). */
  static NodeState of(Kube admin, String name) {
    var node = admin.get("/api/v1/nodes/" + name);
    if (node.ok()) {
      return read(node.body());
    }
    var record = admin.get("/api/v1/namespaces/" + LocalCluster.NAMESPACE + "/configmaps/" + name);
    return away(name, record.ok() ? remembered(record.body()) : Content.EMPTY);
  }

  static NodeState read(JsonNode node) {
    try {
      return READER.read(bytes(node));
    } catch (IOException e) {
      throw new UncheckedIOException("not a Node", e);
    }
  }

  private static Content remembered(JsonNode configMap) {
    try {
      return RecordReader.read(bytes(configMap)) instanceof NodeRecord record
          ? Policy.DEFAULT.keeps(record.content())
          : Content.EMPTY;
    } catch (IOException e) {
      throw new UncheckedIOException("not a ConfigMap", e);
    }
  }

  private static NodeState away(String name, Content content) {
    return new NodeState(
        name, "", 0, false, content, List.of(), null, null, Identity.NONE, false, false, 0);
  }

  private static byte[] bytes(JsonNode json) {
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }
}
