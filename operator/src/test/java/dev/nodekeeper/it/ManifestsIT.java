package dev.nodekeeper.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.core.keep.Role;
import dev.nodekeeper.testbed.Kube;
import dev.nodekeeper.testbed.Patch;
import dev.nodekeeper.testbed.SharedControlPlane;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What we ask people to apply")
final class ManifestsIT {
  private static final String NAMESPACE = "nodekeeper";
  private static final String APPLY = "?fieldManager=manifests&fieldValidation=Strict&force=true";
  private static final String FLOWS = "common/flowschema.yaml";
  private final Kube admin = SharedControlPlane.get().admin();

  @BeforeAll
  static void namespace() {
    SharedControlPlane.get()
        .admin()
        .create("/api/v1/namespaces", World.object("Namespace", NAMESPACE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"base/rbac.yaml", "common/flowschema.yaml", "overlays/roles/rbac.yaml"})
  @DisplayName("is accepted by the API server, field by field")
  void accepted(String manifest) {
    List<JsonNode> documents = Rights.documents(manifest);
    assertThat(documents).isNotEmpty();
    documents.forEach(
        object -> admin.patch(path(object) + APPLY + "&dryRun=All", Patch.APPLY, object).expect());
  }

  @Test
  @DisplayName("names each verb and each resource: no wildcards, no secrets, no status")
  void noMoreThanNamed() {
    for (Role role : Role.values()) {
      assertThat(verbs(Rights.rules(role)).keySet())
          .containsExactlyInAnyOrder(
              " nodes", NAMESPACE + " configmaps", NAMESPACE + " leases", "default events");
      assertThat(verbs(Rights.rules(role)).values())
          .allSatisfy(verbs -> assertThat(verbs).isNotEmpty().doesNotContain("*"));
    }
  }

  @Test
  @DisplayName("gives a process that does all what the two roles have together")
  void together() {
    Map<String, Set<String>> both = verbs(Rights.rules(Role.CAPTURE));
    verbs(Rights.rules(Role.RESTORE)).forEach((what, verbs) -> both.get(what).addAll(verbs));
    assertThat(verbs(Rights.rules(Role.ALL))).isEqualTo(both);
  }

  @Test
  @DisplayName("gives the same rights as `nodekeeper up`")
  void up() {
    Path rights = Path.of("../cli/src/main/resources/dev/nodekeeper/cli/up/rights.yaml");
    assertThat(verbs(Rights.rules(rights, "nodekeeper"))).isEqualTo(verbs(Rights.rules(Role.ALL)));
  }

  private static Map<String, Set<String>> verbs(Map<String, List<JsonNode>> rules) {
    Map<String, Set<String>> verbs = new TreeMap<>();
    rules.forEach(
        (namespace, list) ->
            list.forEach(
                rule ->
                    rule.path("resources")
                        .forEach(
                            resource ->
                                rule.path("verbs")
                                    .forEach(
                                        verb ->
                                            verbs
                                                .computeIfAbsent(
                                                    namespace + " " + resource.asText(),
                                                    _ -> new TreeSet<>())
                                                .add(verb.asText())))));
    return verbs;
  }

  @ParameterizedTest
  @ValueSource(strings = {"nodekeeper", "nodekeeper-capture", "nodekeeper-restore"})
  @DisplayName("puts our requests on our own priority level, and our leases with those of others")
  void flows(String account) {
    Kube we =
        admin.impersonating(
            "system:serviceaccount:" + NAMESPACE + ":" + account,
            "system:serviceaccounts",
            "system:serviceaccounts:" + NAMESPACE,
            "system:authenticated");
    List<JsonNode> documents = Rights.documents(FLOWS);
    try {
      documents.forEach(o -> admin.patch(path(o) + APPLY, Patch.APPLY, o).expect());
      // The server takes them up in its own time. Whether we may see it is another matter.
      Map.of(
              "/api/v1/nodes", "nodekeeper nodekeeper",
              "/api/v1/namespaces/nodekeeper/configmaps", "nodekeeper nodekeeper",
              "/api/v1/namespaces/default/events", "nodekeeper nodekeeper",
              "/apis/coordination.k8s.io/v1/namespaces/nodekeeper/leases",
                  "nodekeeper-leases leader-election")
          .forEach(
              (path, expected) -> {
                String[] flow = expected.split(" ");
                await(path)
                    .atMost(World.HANG)
                    .until(
                        () -> {
                          double before = dispatched(flow[0], flow[1]);
                          we.get(path);
                          return dispatched(flow[0], flow[1]) > before;
                        });
              });
    } finally {
      documents.reversed().forEach(object -> admin.delete(path(object)).expect());
    }
  }

  private double dispatched(String schema, String level) {
    String series =
        "apiserver_flowcontrol_dispatched_requests_total{flow_schema=\"%s\",priority_level=\"%s\"}"
            .formatted(schema, level);
    return Stream.of(admin.get("/metrics").body().asText().split("\n"))
        .filter(line -> line.startsWith(series))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length())))
        .sum();
  }

  private static String path(JsonNode object) {
    String version = object.path("apiVersion").asText();
    String namespace = object.path("metadata").path("namespace").asText("");
    String kind = object.path("kind").asText().toLowerCase(Locale.ROOT);
    return (version.contains("/") ? "/apis/" : "/api/")
        + version
        + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
        + "/"
        + kind
        + "s/"
        + object.path("metadata").path("name").asText();
  }
}
