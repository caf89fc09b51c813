package dev.nodekeeper.bench.phase;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.testbed.Kube;
import java.util.List;

/**
 * Who may do what. Rights cost the server time, so the user of the plain requests has those of the
 * process under test.
 */
final class Rights {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String GROUP = "rbac.authorization.k8s.io";
  private static final String NAME = "bench";

  private Rights() {}

  static void grant(Kube admin, String... users) {
    admin.create("/api/v1/namespaces", object("v1", "Namespace", Stand.NAMESPACE)).expect();
    var role = object(GROUP + "/v1", "ClusterRole", NAME);
    rule(role, "", "nodes", "get", "list", "watch", "patch");
    rule(role, "", "configmaps", "get", "list", "watch", "create", "update", "delete");
    rule(role, "coordination.k8s.io", "leases", "get", "list", "create", "update", "delete");
    rule(role, "", "events", "create");
    admin.create("/apis/" + GROUP + "/v1/clusterroles", role).expect();
    var binding = object(GROUP + "/v1", "ClusterRoleBinding", NAME);
    binding
        .putObject("roleRef")
        .put("apiGroup", GROUP)
        .put("kind", "ClusterRole")
        .put("name", NAME);
    var subjects = binding.putArray("subjects");
    for (var user : users) {
      subjects.addObject().put("apiGroup", GROUP).put("kind", "User").put("name", user);
    }
    admin.create("/apis/" + GROUP + "/v1/clusterrolebindings", binding).expect();
  }

  private static ObjectNode object(String apiVersion, String kind, String name) {
    var object = JSON.createObjectNode().put("apiVersion", apiVersion).put("kind", kind);
    object.putObject("metadata").put("name", name);
    return object;
  }

  private static void rule(ObjectNode role, String group, String resource, String... verbs) {
    var rule = role.withArrayProperty("rules").addObject();
    rule.putArray("apiGroups").add(group);
    rule.putArray("resources").add(resource);
    rule.set("verbs", JSON.valueToTree(List.of(verbs)));
  }
}
