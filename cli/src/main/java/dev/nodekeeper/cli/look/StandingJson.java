package dev.nodekeeper.cli.look;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.look.Standing;
import java.util.List;
import java.util.Optional;

/** Standings for programs. Field names are a promise; what is not there is null. */
public final class StandingJson {
  private StandingJson() {}

  public static JsonNode list(List<Standing> standings) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    standings.forEach(standing -> list.add(one(standing)));
    return list;
  }

  public static ObjectNode one(Standing standing) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("node", standing.node());
    json.put("state", standing.state().word());
    json.put("why", standing.why());
    json.set("onNode", content(standing.onNode()));
    json.set("inRecord", content(standing.inRecord()));
    ArrayNode withheld = json.putArray("withheld");
    standing.withheld().forEach(key -> withheld.add(key.toString()));
    json.put("capturedAt", standing.capturedAt().isEmpty() ? null : standing.capturedAt());
    json.put("awaySince", standing.awaySince().isEmpty() ? null : standing.awaySince());
    json.put("kept", standing.origin().exempt());
    json.put("size", standing.origin().size());
    return json;
  }

  private static JsonNode content(Optional<Content> side) {
    if (side.isEmpty()) {
      return JsonNodeFactory.instance.nullNode();
    }
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ObjectNode labels = json.putObject("labels");
    side.get().named(Kind.LABEL).forEach(labels::put);
    ArrayNode taints = json.putArray("taints");
    side.get()
        .taints()
        .forEach(
            taint ->
                taints
                    .addObject()
                    .put("key", taint.key())
                    .put("value", taint.value())
                    .put("effect", taint.effect()));
    ObjectNode annotations = json.putObject("annotations");
    side.get().named(Kind.ANNOTATION).forEach(annotations::put);
    json.put("unschedulable", side.get().unschedulable());
    return json;
  }
}
