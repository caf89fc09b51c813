package dev.nodekeeper.it.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.testbed.Kube;
import dev.nodekeeper.testbed.Patch;
import dev.nodekeeper.testbed.Reply;
import java.util.HashMap;
import java.util.Map;

/** Objects of any kind on an API server, as {@code kubectl apply --server-side} does it. */
final class Applied {
  private final Kube admin;
  private final Map<String, JsonNode> discovered = new HashMap<>();

  Applied(Kube admin) {
    this.admin = admin;
  }

  Reply apply(JsonNode object) {
    return admin.patch(path(object) + query(), Patch.APPLY, object);
  }

  Reply tryOut(JsonNode object) {
    return admin.patch(path(object) + query() + "&dryRun=All", Patch.APPLY, object);
  }

  /** Also when it is not there. */
  void remove(JsonNode object) {
    admin.delete(path(object));
  }

  private static String query() {
    return "?fieldManager=deploy&fieldValidation=Strict&force=true";
  }

  private String path(JsonNode object) {
    return collection(object) + "/" + object.path("metadata").path("name").asText();
  }

  private String collection(JsonNode object) {
    String version = object.path("apiVersion").asText();
    String root = (version.contains("/") ? "/apis/" : "/api/") + version;
    JsonNode resource = resource(root, object.path("kind").asText());
    String namespace = object.path("metadata").path("namespace").asText("");
    if (resource.path("namespaced").asBoolean() == namespace.isEmpty()) {
      throw new IllegalArgumentException("namespaced or not? " + object);
    }
    return root
        + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
        + "/"
        + resource.path("name").asText();
  }

  private JsonNode resource(String root, String kind) {
    for (JsonNode resource :
        discovered.computeIfAbsent(root, _ -> admin.get(root).expect()).path("resources")) {
      if (resource.path("kind").asText().equals(kind)
          && !resource.path("name").asText().contains("/")) {
        return resource;
      }
    }
    throw new IllegalArgumentException("no " + kind + " in " + root);
  }
}
