package dev.nodekeeper.it.fault;

import static dev.nodekeeper.it.World.through;
import static dev.nodekeeper.testbed.fault.Match.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.it.Rights;
import dev.nodekeeper.it.Running;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Patch;
import dev.nodekeeper.testbed.fault.FaultProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName(
    "Rights, credentials, namespace or schema go: we report, wait, and never read it as \"gone\"")
final class RightsFaultsIT {
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";

  private final World world = new World();
  @TempDir Path folder;

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  @Test
  @DisplayName(
      "a token that is no longer valid (401): nothing is taken for gone, and the new one is found alone")
  void expiredToken() throws Exception {
    String account = "/api/v1/namespaces/" + world.namespace + "/serviceaccounts";
    String user = "system:serviceaccount:" + world.namespace + ":keeper";
    Rights.grant(world.admin, user, world.namespace);
    world.admin.create(account, World.object("ServiceAccount", "keeper")).expect();
    Path token = Files.writeString(folder.resolve("token"), newToken(account));
    FaultProxy proxy = world.proxy();
    Running keeper = world.keeper("--kubeconfig=" + withToken(proxy.kubeconfig(), token));
    for (String name : List.of("n1", "n2")) {
      world.register(name);
      world.label(name, "team", "a");
      world.awaitRecordLabel(name, "team", "a");
    }
    await("quiet").atMost(World.HANG).until(keeper::idle);
    assertThat(proxy.journal()).allMatch(call -> call.status() != 401);

    world.admin.delete(account + "/keeper").expect();
    world.admin.create(account, World.object("ServiceAccount", "keeper")).expect();
    // The server believes a token for some seconds after it has gone.
    await("401")
        .atMost(World.HANG)
        .until(
            () -> {
              proxy.cut();
              Thread.sleep(500);
              return proxy.journal(list("nodes")).stream().anyMatch(c -> c.status() == 401);
            });
    world.label("n1", "team", "b");
    world.vanish("n2");
    world.register("n2");
    assertThat(world.record("n1").path("labels").path("team").asText()).isEqualTo("a");
    assertThat(world.record("n2").path("labels").path("team").asText()).isEqualTo("a");
    assertThat(world.labels("n2")).isEmpty();

    Files.writeString(token, newToken(account));
    world.awaitLabel("n2", "team", "a");
    world.awaitRecordLabel("n1", "team", "b");
  }

  private String newToken(String account) {
    ObjectNode request =
        World.object("TokenRequest", "").put("apiVersion", "authentication.k8s.io/v1");
    request.remove("metadata");
    request.putObject("spec");
    return world
        .admin
        .create(account + "/keeper/token", request)
        .expect()
        .path("status")
        .path("token")
        .asText();
  }

  private Path withToken(Path kubeconfig, Path token) throws IOException {
    String text =
        Files.readString(kubeconfig)
            .replaceAll("client-certificate-data: .*", "tokenFile: " + token)
            .replaceAll("client-key-data: .*", "");
    return Files.writeString(folder.resolve("kubeconfig"), text);
  }

  @Test
  @DisplayName(
      "all our rights removed (403 on list, watch and writes): no node, no record is taken for gone")
  void bindingsRemoved() {
    FaultProxy proxy = world.proxy();
    Running keeper = world.keeper(through(proxy));
    for (String name : List.of("n1", "n2", "away")) {
      world.register(name);
      world.label(name, "team", "a");
      world.awaitRecordLabel(name, "team", "a");
    }
    world.vanish("away");
    String nodes = RBAC + "/clusterrolebindings";
    String records = RBAC + "/namespaces/" + world.namespace + "/rolebindings";
    JsonNode onNodes = take(nodes + "/" + world.user);
    JsonNode onRecords = take(records + "/" + world.user + "-" + world.namespace);
    await("forbidden")
        .atMost(World.HANG)
        .until(
            () ->
                world.plane.as(world.user).get("/api/v1/nodes").code() == 403
                    && world.plane.as(world.user).get(world.recordPath("n1")).code() == 403);
    var mark = world.mark();
    proxy.cut();
    world.label("n1", "team", "b");
    world.vanish("n2");
    world.register("n2");
    for (String resource : List.of("nodes", "configmaps")) {
      await("403 on " + resource)
          .atMost(World.HANG)
          .until(
              () ->
                  proxy.journal(list(resource)).stream().filter(c -> c.status() == 403).count()
                      >= 2);
    }
    assertThat(world.requestsSince(mark))
        .doesNotContainKeys("delete configmaps", "update configmaps", "patch nodes");

    world.admin.create(records, onRecords).expect();
    world.admin.create(nodes, onNodes).expect();
    world.awaitLabel("n2", "team", "a");
    world.awaitRecordLabel("n1", "team", "b");
    world.register("away");
    world.awaitLabel("away", "team", "a");
    await("quiet").atMost(World.HANG).until(keeper::idle);
  }

  /** Deletes the object and returns what it takes to make it again. */
  private JsonNode take(String path) {
    JsonNode object = world.admin.get(path).expect();
    world.admin.delete(path).expect();
    ((ObjectNode) object.path("metadata")).remove(List.of("uid", "resourceVersion"));
    return object;
  }

  @Test
  @DisplayName(
      "only the right to patch nodes removed: told, the record stays whole, done when it is back")
  void patchForbidden() {
    world.keeper();
    world.register("n1");
    world.label("n1", "team", "a");
    world.awaitRecordLabel("n1", "team", "a");
    world.vanish("n1");
    setVerbs("get", "list", "watch");
    await("forbidden")
        .atMost(World.HANG)
        .until(
            () ->
                world.plane.as(world.user).patch("/api/v1/nodes/none", Patch.MERGE, "{}").code()
                    == 403);
    world.register("n1");
    await("a refusal is told")
        .atMost(World.HANG)
        .until(() -> events("n1").contains("RequestRefused"));
    assertThat(world.labels("n1")).isEmpty();
    assertThat(world.record("n1").path("labels").path("team").asText()).isEqualTo("a");
    setVerbs("get", "list", "watch", "patch");
    world.awaitLabel("n1", "team", "a");
  }

  private void setVerbs(String... verbs) {
    ObjectNode patch = World.JSON.createObjectNode();
    ObjectNode rule = patch.putArray("rules").addObject();
    rule.putArray("apiGroups").add("");
    rule.putArray("resources").add("nodes");
    var list = rule.putArray("verbs");
    List.of(verbs).forEach(list::add);
    world.admin.patch(RBAC + "/clusterroles/" + world.user, Patch.MERGE, patch).expect();
  }

  private List<String> events(String node) {
    return world
        .admin
        .list("/api/v1/namespaces/default/events?fieldSelector=involvedObject.name=" + node)
        .stream()
        .map(event -> event.path("reason").asText())
        .toList();
  }

  @Test
  @DisplayName(
      "our namespace deleted: nodes stay as they are, living ones are captured anew when it is back")
  void namespaceDeleted() {
    Running keeper = world.keeper();
    for (String name : List.of("n1", "n2", "away")) {
      world.register(name);
      world.label(name, "team", name);
      world.taint(name, "dedicated=" + name + ":NoSchedule");
      world.awaitRecordLabel(name, "team", name);
    }
    world.vanish("away");
    await("quiet").atMost(World.HANG).until(keeper::idle);
    var mark = world.mark();
    deleteNamespace();
    await("told").atMost(World.HANG).until(() -> !keeper.problems().isEmpty());
    assertThat(keeper.problems()).anyMatch(problem -> problem.contains(world.namespace));
    world.label("n1", "more", "1");

    world.admin.create("/api/v1/namespaces", World.object("Namespace", world.namespace)).expect();
    world.awaitRecordLabel("n1", "more", "1");
    world.awaitRecordLabel("n2", "team", "n2");
    await("well again").atMost(World.HANG).until(keeper::idle);
    assertThat(world.requestsSince(mark)).doesNotContainKeys("patch nodes", "delete configmaps");
    for (String name : List.of("n1", "n2")) {
      assertThat(world.labels(name)).containsEntry("team", name);
      world.vanish(name);
      world.register(name);
      world.awaitLabel(name, "team", name);
      assertThat(world.taints(name)).containsExactly("dedicated=" + name + ":NoSchedule");
    }
    // Whoever deletes the record of a node that is away forgets the node.
    world.register("away");
    world.settle(keeper);
    assertThat(world.labels("away")).isEmpty();
  }

  /** As the namespace controller does it: content first, then the name. */
  private void deleteNamespace() {
    String path = "/api/v1/namespaces/" + world.namespace;
    world.admin.delete(path).expect();
    world.admin.delete(path + "/configmaps").expect();
    ObjectNode last = (ObjectNode) world.admin.get(path).expect();
    last.putObject("spec").putArray("finalizers");
    world.admin.replace(path + "/finalize", last).expect();
    await("it is gone").atMost(World.HANG).until(() -> world.admin.get(path).code() == 404);
  }

  @Test
  @DisplayName(
      "a record of a newer schema: not restored, not rewritten, told; obeyed when it is ours again")
  void newerSchema() {
    Running keeper = world.keeper();
    world.register("n1");
    world.label("n1", "team", "a");
    world.awaitRecordLabel("n1", "team", "a");
    editState("n1", state -> state.put("schema", 2).put("future", "x"));
    Map<String, String> written = data("n1");
    await("told").atMost(World.HANG).until(() -> events("n1").contains("RecordUnreadable"));
    world.label("n1", "team", "b");
    world.settle(keeper);
    assertThat(data("n1")).isEqualTo(written);
    world.vanish("n1");
    world.register("n1");
    world.settle(keeper);
    assertThat(world.labels("n1")).isEmpty();
    assertThat(data("n1")).isEqualTo(written);
    // Rolled back by the newer one.
    editState("n1", state -> state.put("schema", 1));
    await("restored")
        .atMost(World.HANG)
        .untilAsserted(() -> assertThat(world.labels("n1")).containsKey("team"));
  }

  @Test
  @DisplayName("fields that a newer version added to a record survive our rewriting it")
  void unknownFields() {
    world.keeper();
    world.register("n1");
    world.label("n1", "team", "a");
    world.awaitRecordLabel("n1", "team", "a");
    editState("n1", state -> state.putObject("future").put("deep", 7));
    world.editRecord("n1", record -> record.putArray("owners").add("someone"));
    world.label("n1", "team", "b");
    world.awaitRecordLabel("n1", "team", "b");
    assertThat(world.record("n1").path("owners").path(0).asText()).isEqualTo("someone");
    assertThat(state("n1").path("future").path("deep").asInt()).isEqualTo(7);
  }

  private Map<String, String> data(String node) {
    Map<String, String> data = new java.util.TreeMap<>();
    world
        .admin
        .get(world.recordPath(node))
        .expect()
        .path("data")
        .properties()
        .forEach(entry -> data.put(entry.getKey(), entry.getValue().asText()));
    return data;
  }

  private ObjectNode state(String node) {
    try {
      return (ObjectNode) World.JSON.readTree(data(node).get("state.json"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void editState(String node, java.util.function.Consumer<ObjectNode> edit) {
    ObjectNode state = state(node);
    edit.accept(state);
    ObjectNode patch = World.JSON.createObjectNode();
    patch.putObject("data").put("state.json", state.toString());
    world.admin.patch(world.recordPath(node), Patch.MERGE, patch).expect();
  }
}
