package dev.nodekeeper.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.testbed.Fleet;
import dev.nodekeeper.testbed.Kube;
import dev.nodekeeper.testbed.Machine;
import dev.nodekeeper.testbed.Patch;
import dev.nodekeeper.testbed.Reply;
import dev.nodekeeper.testbed.Taint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * With the certificate of {@code system:node:evil}, before the real Node authorizer and
 * NodeRestriction. Its markers are in {@link ForgeryIT}.
 */
@DisplayName("A hostile kubelet, with the credentials of its own node")
final class HostileKubeletIT {
  private static final String NODES = "/api/v1/nodes";
  private static final String ROLE = "node-role.kubernetes.io/gpu";
  private static final String TENANT = "tenant.node-restriction.kubernetes.io/name";
  private static final List<String> RESERVED =
      List.of(ROLE, TENANT, "node-restriction.kubernetes.io/x", "kubernetes.io/x", "a.k8s.io/x");
  private static final String QUARANTINE = "quarantine=strict:NoExecute";
  private static final int ANNOTATIONS_MAX_BYTES = 256 * 1024;
  private static final Machine EVIL = Machine.named("evil");
  private static final Machine VICTIM = Machine.named("victim");

  private final World world = new World();
  private final Kube kubelet = world.plane.as(EVIL.user(), "system:nodes");
  private final Map<String, Integer> answers = new LinkedHashMap<>();

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  private void tries(String what, Reply reply) {
    answers.put(what, reply.code());
  }

  private void assertAllForbidden() {
    assertThat(answers.values()).as("%s", answers).isNotEmpty().containsOnly(403);
    answers.clear();
  }

  // ---- another node's labels

  @Test
  @DisplayName("gains nothing of another node's, alive or away, by whatever it asks for")
  void anothersLabels() {
    Running keeper = world.keeper();
    kubelet.create(NODES, EVIL.node()).expect();
    world.register(VICTIM);
    Map<String, String> labels = Map.of(ROLE, "", TENANT, "vision", "team", "a");
    labels.forEach((key, value) -> world.label("victim", key, value));
    world.taint("victim", "dedicated=a:NoSchedule");
    labels.forEach((key, value) -> world.awaitRecordLabel("victim", key, value));
    world.settle(keeper);
    JsonNode record = world.admin.get(world.recordPath("victim")).expect();

    triesTheNode();
    triesTheRecord(record);
    triesToBeSomeoneElse();
    assertAllForbidden();
    world.vanish("victim");
    triesTheName();
    triesTheRecord(record);
    assertAllForbidden();

    world.settle(keeper);
    assertThat(world.admin.get(world.recordPath("victim")).expect()).isEqualTo(record);
    assertThat(world.labels("evil")).isEmpty();
    assertThat(world.hasRecord("evil")).isFalse();
    world.register(VICTIM);
    world.awaitLabel("victim", "team", "a");
    assertThat(world.labels("victim")).isEqualTo(labels);
  }

  private void triesTheNode() {
    String bare = "{\"metadata\": {\"labels\": null}, \"spec\": {\"taints\": null}}";
    tries("strip it", kubelet.patch(VICTIM.path(), Patch.MERGE, bare));
    tries("strip its status", kubelet.patch(VICTIM.path() + "/status", Patch.MERGE, bare));
    tries("replace it", kubelet.replace(VICTIM.path(), VICTIM.node()));
    tries("delete it", kubelet.delete(VICTIM.path()));
  }

  private void triesTheName() {
    tries("register as it", kubelet.create(NODES, VICTIM.node()));
    tries(
        "apply it",
        kubelet.patch(VICTIM.path() + "?fieldManager=evil", Patch.APPLY, VICTIM.node()));
    ObjectNode unnamed = (ObjectNode) VICTIM.node();
    unnamed.withObject("/metadata").put("generateName", "victim").remove("name");
    tries("register under a made-up name", kubelet.create(NODES, unnamed));
  }

  /** A Node may read what its pods mount, so it tries to have such a pod. */
  private void triesTheRecord(JsonNode record) {
    String namespace = "/api/v1/namespaces/" + world.namespace;
    String path = world.recordPath("victim");
    tries("read the record", kubelet.get(path));
    tries("list records", kubelet.get(namespace + "/configmaps"));
    tries("watch records", kubelet.get(namespace + "/configmaps?watch=true&timeoutSeconds=1"));
    tries("edit it", kubelet.patch(path, Patch.MERGE, "{\"data\": null}"));
    tries("delete it from the store", kubelet.delete(path));
    ObjectNode own = World.object("ConfigMap", "evil");
    own.set("data", record.path("data"));
    tries("have one like it", kubelet.create(namespace + "/configmaps", own));
    ObjectNode pod = World.object("Pod", "spy");
    ObjectNode spec = pod.putObject("spec").put("nodeName", "evil");
    spec.putArray("containers").addObject().put("name", "spy").put("image", "spy");
    ObjectNode volume = spec.putArray("volumes").addObject().put("name", "loot");
    volume.putObject("configMap").put("name", "victim");
    tries("mount it", kubelet.create(namespace + "/pods", pod));
    pod.withObject("/metadata/annotations").put("kubernetes.io/config.mirror", "x");
    tries("mount it into a mirror pod", kubelet.create(namespace + "/pods", pod));
  }

  private void triesToBeSomeoneElse() {
    String namespace = "/api/v1/namespaces/" + world.namespace;
    tries("our token", kubelet.create(namespace + "/serviceaccounts/nodekeeper/token", "{}"));
    tries("be us", kubelet.impersonating(world.user).get(NODES));
    tries("be it", kubelet.impersonating(VICTIM.user(), "system:nodes").get(VICTIM.path()));
    tries("be an administrator", kubelet.impersonating("admin", "system:masters").get(NODES));
    ObjectNode lease =
        World.object("Lease", "nodekeeper").put("apiVersion", "coordination.k8s.io/v1");
    String leases = "/apis/coordination.k8s.io/v1/namespaces/" + world.namespace + "/leases";
    tries("lead", kubelet.create(leases, lease));
  }

  // ---- reserved labels

  @Test
  @DisplayName("gains no reserved label, by registering, patching, or returning")
  void reservedLabels() {
    Running keeper = world.keeper();
    RESERVED.forEach(
        key -> tries("register " + key, kubelet.create(NODES, EVIL.withLabel(key, "mine").node())));
    Machine modest = EVIL.withLabel("plain", "1");
    kubelet.create(NODES, modest.node()).expect();
    world.awaitRecordLabel("evil", "plain", "1");
    RESERVED.forEach(key -> triesToLabelItself(modest, key));
    assertAllForbidden();
    world.settle(keeper);
    assertThat(world.labels("evil")).isEqualTo(Map.of("plain", "1"));

    // It has one that people gave it: it cannot change that, nor tell us that it had more.
    world.label("evil", ROLE, "");
    world.awaitRecordLabel("evil", ROLE, "");
    world.vanish("evil");
    RESERVED.forEach(
        key -> tries("return with " + key, kubelet.create(NODES, EVIL.withLabel(key, "x").node())));
    assertAllForbidden();
    ObjectNode lying = (ObjectNode) EVIL.node();
    lying
        .withObject("/metadata/annotations")
        .put(NodeState.MARKER, "1." + "A".repeat(43))
        .put(NodeState.WITHHELD, "label:" + TENANT);
    kubelet.create(NODES, lying).expect();
    world.awaitLabel("evil", ROLE, "");
    world.settle(keeper);
    Map<String, String> all = Map.of("plain", "1", ROLE, "");
    assertThat(world.labels("evil")).isEqualTo(all);
    assertThat(World.JSON.convertValue(world.record("evil").path("labels"), Map.class))
        .isEqualTo(all);
  }

  private void triesToLabelItself(Machine machine, String key) {
    for (String path : List.of(machine.path(), machine.path() + "/status")) {
      ObjectNode merge = World.JSON.createObjectNode();
      merge.putObject("metadata").putObject("labels").put(key, "mine");
      tries(path + " merge " + key, kubelet.patch(path, Patch.MERGE, merge));
      tries(path + " strategic " + key, kubelet.patch(path, Patch.STRATEGIC, merge));
      String add =
          "[{\"op\": \"add\", \"path\": \"/metadata/labels/%s\", \"value\": \"mine\"}]"
              .formatted(key.replace("/", "~1"));
      tries(path + " json " + key, kubelet.patch(path, Patch.JSON, add));
      merge.put("apiVersion", "v1").put("kind", "Node");
      merge.withObject("/metadata").put("name", machine.name());
      tries(
          path + " apply " + key,
          kubelet.patch(path + "?fieldManager=evil&force=true", Patch.APPLY, merge));
      tries(path + " put " + key, kubelet.replace(path, machine.withLabel(key, "mine").node()));
    }
  }

  // ---- quarantine

  @Test
  @DisplayName("sheds no quarantine taint: not on its living node, not by registering anew")
  void quarantine() {
    Running keeper = world.keeper();
    quarantined();
    for (String path : List.of(EVIL.path(), EVIL.path() + "/status")) {
      for (String taints : List.of("null", "[]")) {
        kubelet.patch(path, Patch.MERGE, "{\"spec\": {\"taints\": " + taints + "}}");
      }
      kubelet.patch(path, Patch.JSON, "[{\"op\": \"remove\", \"path\": \"/spec/taints\"}]");
      kubelet.patch(path, Patch.STRATEGIC, "{\"spec\": {\"taints\": [{\"$patch\": \"replace\"}]}}");
      kubelet.replace(path, EVIL.node());
      assertThat(world.taints("evil")).as(path).containsExactly(QUARANTINE);
    }
    tries("delete its own Node", kubelet.delete(EVIL.path()));
    assertAllForbidden();

    returns()
        .forEach(
            (how, node) -> {
              // Somebody else deletes it: a machine that is switched off long enough is removed.
              world.vanish("evil");
              kubelet.create(NODES, node).expect();
              awaitQuarantine(how);
              world.settle(keeper);
              awaitQuarantine(how);
              assertThat(World.taints(asNode(world.record("evil")))).as(how).contains(QUARANTINE);
            });
  }

  private void quarantined() {
    kubelet.create(NODES, EVIL.node()).expect();
    world.taint("evil", QUARANTINE);
    await().atMost(World.HANG).until(() -> world.record("evil").path("taints").size() == 1);
  }

  private static JsonNode asNode(JsonNode record) {
    return World.JSON.createObjectNode().set("spec", record);
  }

  private static Map<String, JsonNode> returns() {
    Map<String, JsonNode> ways = new LinkedHashMap<>();
    ways.put("bare", EVIL.node());
    ways.put("a weaker value", tainted(new Taint("quarantine", "tolerated", "NoExecute")));
    ways.put(
        "a weaker effect",
        tainted(
            new Taint("quarantine", "strict", "PreferNoSchedule"),
            new Taint("quarantine", "strict", "NoSchedule")));
    ways.put(
        "a crowd of taints",
        tainted(
            Fleet.machines("taint", 200).stream()
                .map(machine -> Taint.noSchedule(machine.name()))
                .toArray(Taint[]::new)));
    ObjectNode lying = (ObjectNode) EVIL.node();
    lying
        .withObject("/metadata/annotations")
        .put(NodeState.MARKER, "1." + "A".repeat(43))
        .put(NodeState.WITHHELD, "taint:quarantine:NoExecute");
    ways.put("it was withheld, it says", lying);
    return ways;
  }

  private static JsonNode tainted(Taint... taints) {
    return EVIL.withTaints(List.of(taints)).node();
  }

  /** With the value and effect that people gave it. */
  private void awaitQuarantine(String how) {
    await(how)
        .atMost(World.HANG)
        .untilAsserted(
            () ->
                assertThat(world.taints("evil"))
                    .filteredOn(t -> t.startsWith("quarantine=") && t.endsWith(":NoExecute"))
                    .containsExactly(QUARANTINE));
  }

  @Test
  @DisplayName(
      "sheds none by filling its annotations until no marker fits; people may still lift it")
  void fullAnnotations() {
    Running keeper = world.keeper();
    quarantined();
    world.label("evil", "team", "a");
    world.awaitRecordLabel("evil", "team", "a");
    world.vanish("evil");
    kubelet.create(NODES, filled((ObjectNode) EVIL.node())).expect();
    awaitQuarantine("full");
    assertThat(world.record("evil").path("taints")).hasSize(1);

    world.taint("evil");
    world.vanish("evil");
    kubelet.create(NODES, EVIL.node()).expect();
    world.awaitLabel("evil", "team", "a");
    world.settle(keeper);
    assertThat(world.taints("evil")).isEmpty();
  }

  /** To the byte that the API server allows. */
  private static ObjectNode filled(ObjectNode node) {
    ObjectNode annotations = node.withObject("/metadata/annotations");
    int used =
        annotations.properties().stream()
            .mapToInt(entry -> entry.getKey().length() + entry.getValue().asText().length())
            .sum();
    annotations.put("fill", "x".repeat(ANNOTATIONS_MAX_BYTES - used - "fill".length()));
    return node;
  }

  @Test
  @Tag("long")
  @DisplayName(
      "known limit: a Node that it filled up to etcd's limit takes no taint from anybody; it is told")
  void brimful() {
    JsonNode large = asLargeAsItGoes();
    world.keeper();
    quarantined();
    world.vanish("evil");
    kubelet.create(NODES, large).expect();
    await("told")
        .atMost(World.HANG)
        .until(
            () ->
                world
                    .admin
                    .list(
                        "/api/v1/namespaces/default/events?fieldSelector=involvedObject.name=evil")
                    .stream()
                    .anyMatch(event -> event.path("reason").asText().equals("RequestRefused")));
    String taint = "{\"spec\": {\"taints\": [{\"key\": \"a\", \"effect\": \"NoSchedule\"}]}}";
    assertThat(world.admin.patch(EVIL.path(), Patch.MERGE, taint).ok()).isFalse();

    world.vanish("evil");
    kubelet.create(NODES, EVIL.node()).expect();
    awaitQuarantine("as soon as it takes one");
  }

  /** So large that not even a taint fits beside it. */
  private JsonNode asLargeAsItGoes() {
    ObjectNode node = (ObjectNode) EVIL.node();
    ObjectNode annotations = node.withObject("/metadata/annotations");
    int labels = 6000;
    do {
      labels += 500;
      for (int i = labels - 500; i < labels; i++) {
        node.withObject("/metadata/labels").put("%063d".formatted(i), "v".repeat(63));
      }
    } while (fits(node));
    for (int i = labels - 500; i < labels; i++) {
      node.withObject("/metadata/labels").remove("%063d".formatted(i));
    }
    int fits = 0;
    int tooMuch = 200_000;
    while (tooMuch - fits > 1) {
      int middle = (fits + tooMuch) / 2;
      annotations.put("fill", "x".repeat(middle));
      if (fits(node)) {
        fits = middle;
      } else {
        tooMuch = middle;
      }
    }
    annotations.put("fill", "x".repeat(fits));
    return node;
  }

  private boolean fits(JsonNode node) {
    boolean fits = kubelet.create(NODES, node).ok();
    if (fits) {
      world.vanish("evil");
    }
    return fits;
  }
}
