package dev.nodekeeper.sim;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Kind;

/** A record.json as a person types it: no order, no neat lines. */
final class HandWritten {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private HandWritten() {}

  static String record(String node, Content content) {
    ObjectNode json = MAPPER.createObjectNode();
    ObjectNode labels = json.putObject("labels");
    content.named(Kind.LABEL).forEach(labels::put);
    ObjectNode annotations = json.putObject("annotations");
    content.named(Kind.ANNOTATION).forEach(annotations::put);
    ArrayNode taints = json.putArray("taints");
    content
        .taints()
        .forEach(
            t ->
                taints
                    .addObject()
                    .put("effect", t.effect())
                    .put("key", t.key())
                    .put("value", t.value()));
    if (content.unschedulable()) {
      json.put("unschedulable", true);
    }
    return json.put("node", node).toString();
  }
}
