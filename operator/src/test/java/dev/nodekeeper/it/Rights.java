package dev.nodekeeper.it;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.testbed.Kube;
import java.util.List;

/** The rights that we ask for, and no more: every test runs under them. */
public final class Rights {
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";

  private Rights() {}

  public static void grant(Kube admin, String user, String namespace) {
    role(admin, user, "", rule("", "nodes", List.of("get", "list", "watch", "patch")));
    role(
        admin,
        user,
        namespace,
        rule("", "configmaps", List.of("get", "list", "watch", "create", "update", "delete")),
        rule(
            "coordination.k8s.io", "leases", List.of("get", "list", "create", "update", "delete")));
    role(admin, user, "default", rule("", "events", List.of("create", "patch")));
  }

  private static ObjectNode rule(String group, String resource, List<String> verbs) {
    ObjectNode rule = World.JSON.createObjectNode();
    rule.putArray("apiGroups").add(group);
    rule.putArray("resources").add(resource);
    var list = rule.putArray("verbs");
    verbs.forEach(list::add);
    return rule;
  }

  private static void role(Kube admin, String user, String namespace, ObjectNode... rules) {
    boolean everywhere = namespace.isEmpty();
    String scope = everywhere ? RBAC : RBAC + "/namespaces/" + namespace;
    String kind = everywhere ? "ClusterRole" : "Role";
    String plural = everywhere ? "/clusterroles" : "/roles";
    String name = user + (everywhere ? "" : "-" + namespace);
    ObjectNode role = World.object(kind, name).put("apiVersion", "rbac.authorization.k8s.io/v1");
    role.putArray("rules").addAll(List.of(rules));
    admin.create(scope + plural, role).expect();
    ObjectNode binding =
        World.object(kind + "Binding", name).put("apiVersion", "rbac.authorization.k8s.io/v1");
    binding
        .putObject("roleRef")
        .put("apiGroup", "rbac.authorization.k8s.io")
        .put("kind", kind)
        .put("name", name);
    binding
        .putArray("subjects")
        .addObject()
        .put("apiGroup", "rbac.authorization.k8s.io")
        .put("kind", "User")
        .put("name", user);
    admin.create(scope + (everywhere ? "/clusterrolebindings" : "/rolebindings"), binding).expect();
  }
}
