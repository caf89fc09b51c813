package dev.nodekeeper.it.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Kube;
import dev.nodekeeper.testbed.Patch;
import dev.nodekeeper.testbed.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The admission policy pins our account, whatever rights it was given")
final class AdmissionPolicyIT {
  private static final String ACCOUNT = "system:serviceaccount:nodekeeper:nodekeeper";
  private static final String BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
  private static final String TOO_MUCH = "too-much";
  private static final String NODE = "/api/v1/nodes/pinned";

  private final World world = new World();
  private final Kube admin = world.admin;
  private final Kube we =
      admin.impersonating(
          ACCOUNT,
          "system:serviceaccounts",
          "system:serviceaccounts:nodekeeper",
          "system:authenticated");
  private final Applied applied = new Applied(admin);
  private final List<JsonNode> policy = new ArrayList<>();

  @BeforeEach
  void install() {
    List<JsonNode> all = Rendering.overlay("single", List.of("admission-policy"));
    applied.apply(Rendering.namespace()).expect();
    all.stream()
        .filter(object -> object.path("kind").asText().startsWith("Validating"))
        .forEach(policy::add);
    assertThat(policy).hasSize(2);
    policy.forEach(object -> applied.apply(object).expect());
    ObjectNode binding =
        World.object("ClusterRoleBinding", TOO_MUCH)
            .put("apiVersion", "rbac.authorization.k8s.io/v1");
    binding
        .putObject("roleRef")
        .put("apiGroup", "rbac.authorization.k8s.io")
        .put("kind", "ClusterRole")
        .put("name", "cluster-admin");
    binding
        .putArray("subjects")
        .addObject()
        .put("kind", "ServiceAccount")
        .put("name", "nodekeeper")
        .put("namespace", "nodekeeper");
    admin.create(BINDINGS, binding).expect();
    world.register("pinned");
    await("the rights, then the policy, are in force")
        .atMost(World.HANG)
        .until(() -> we.get("/api/v1/namespaces/kube-system/secrets").ok() && refused(delete(we)));
  }

  @AfterEach
  void end() throws Exception {
    world.close();
    policy.forEach(applied::remove);
    admin.delete(BINDINGS + "/" + TOO_MUCH).expect();
  }

  private static Reply delete(Kube who) {
    return who.delete(NODE + "?dryRun=All");
  }

  /** By what we say, not by an expression that failed. */
  private static boolean refused(Reply reply) {
    return reply.code() == 422
        && reply.message().contains("ValidatingAdmissionPolicy 'nodekeeper'")
        && reply.message().contains("nodekeeper changes")
        && !reply.message().contains("resulted in error");
  }

  @Test
  @DisplayName("nothing of a node but labels, annotations, taints and cordon can be changed")
  void pinned() {
    for (String change :
        List.of(
            "{'spec': {'podCIDR': '10.9.0.0/24', 'podCIDRs': ['10.9.0.0/24']}}",
            "{'spec': {'providerID': 'cloud://stolen'}}",
            "{'metadata': {'finalizers': ['example.com/stuck']}}",
            "{'metadata': {'ownerReferences': [{'apiVersion': 'v1', 'kind': 'Node', 'name': 'x',"
                + " 'uid': 'y'}]}}")) {
      String patch = change.replace('\'', '"');
      // Others may: it is the policy that refuses, not the server's own rules.
      admin.patch(NODE + "?dryRun=All", Patch.MERGE, patch).expect();
      assertThat(we.patch(NODE, Patch.MERGE, patch)).as(change).matches(r -> refused(r));
    }
    String status = "{\"status\": {\"phase\": \"Running\"}}";
    admin.patch(NODE + "/status?dryRun=All", Patch.MERGE, status).expect();
    assertThat(we.patch(NODE + "/status", Patch.MERGE, status)).matches(r -> refused(r));
    JsonNode other = World.object("Node", "forged");
    admin.create("/api/v1/nodes?dryRun=All", other).expect();
    assertThat(we.create("/api/v1/nodes", other)).matches(r -> refused(r));
    delete(admin).expect();
    assertThat(we.delete(NODE)).matches(r -> refused(r));
    assertThat(we.delete("/api/v1/nodes?fieldSelector=metadata.name=pinned"))
        .matches(r -> refused(r));
    assertThat(world.node("pinned").path("spec").has("providerID")).isFalse();
    for (String change :
        List.of(
            "{'metadata': {'labels': {'a': 'b'}, 'annotations': {'a': 'b'}}}",
            "{'spec': {'unschedulable': true, 'taints': [{'key': 'a', 'effect': 'NoSchedule'}]}}")) {
      we.patch(NODE, Patch.MERGE, change.replace('\'', '"')).expect();
    }
  }

  @Test
  @DisplayName("what we are for goes on: a node returns, with taints and cordon")
  void works() {
    world.keeper(
        "--namespace=nodekeeper",
        "--keep=labels,taints,annotations,cordon",
        "--kubeconfig=" + world.plane.kubeconfig(ACCOUNT));
    world.label("pinned", "team", "a");
    world.annotate("pinned", "note", "n");
    world.taint("pinned", "dedicated=a:NoSchedule");
    world.cordon("pinned");
    await("recorded")
        .atMost(World.HANG)
        .until(
            () -> {
              String record =
                  admin
                      .get("/api/v1/namespaces/nodekeeper/configmaps/pinned")
                      .body()
                      .path("data")
                      .path("record.json")
                      .asText()
                      .replaceAll("\\s", "");
              return record.contains("\"unschedulable\":true")
                  && record.contains("dedicated")
                  && record.contains("team")
                  && record.contains("note");
            });
    world.vanish("pinned");
    world.register("pinned");
    world.awaitLabel("pinned", "team", "a");
    JsonNode node = world.node("pinned");
    assertThat(node.path("metadata").path("annotations").path("note").asText()).isEqualTo("n");
    assertThat(node.path("spec").path("unschedulable").asBoolean()).isTrue();
    assertThat(node.path("spec").path("taints").findValuesAsText("key")).contains("dedicated");
    admin.delete("/api/v1/namespaces/nodekeeper/configmaps/pinned").expect();
  }

  @Test
  @DisplayName("names every field of a node's spec that there is: a new one is not forgotten")
  void complete() {
    JsonNode fields =
        admin
            .get("/openapi/v3/api/v1")
            .expect()
            .at("/components/schemas/io.k8s.api.core.v1.NodeSpec/properties");
    var free = new TreeSet<>();
    String said = policy.toString();
    fields
        .fieldNames()
        .forEachRemaining(
            field -> {
              if (!said.contains("object.spec.?" + field + " == oldObject.spec.?" + field)) {
                free.add(field);
              }
            });
    assertThat(free).isEqualTo(new TreeSet<>(List.of("taints", "unschedulable")));
  }
}
