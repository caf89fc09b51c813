package dev.nodekeeper.effect;

import dev.nodekeeper.api.Call;
import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.store.ConfigMapBody;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** An effect as the one API request that it is. */
record Calls(String namespace) {
  Call of(Effect.Request request) {
    return switch (request) {
      case Effect.PatchNode patch ->
          Call.patch(node(patch.node()), patch.contentType(), patch.body());
      case Effect.CreateRecord create ->
          Call.post(records(), ConfigMapBody.created(namespace, create.node(), create.data()));
      case Effect.UpdateRecord update ->
          Call.put(
              record(update.node()),
              ConfigMapBody.updated(
                  namespace, update.node(), update.record().origin(), update.data()));
      case Effect.DeleteRecord delete ->
          Call.delete(
              record(delete.node()), delete.record().origin().uid(), delete.record().origin().rv());
      case Effect.ReadRecord read -> Call.get(record(read.node()));
      case Effect.ReadNode read -> Call.get(node(read.node()));
    };
  }

  private static String node(String name) {
    return "/api/v1/nodes/" + encoded(name);
  }

  private String records() {
    return "/api/v1/namespaces/" + namespace + "/configmaps";
  }

  private String record(String name) {
    return records() + "/" + encoded(name);
  }

  private static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8);
  }
}
