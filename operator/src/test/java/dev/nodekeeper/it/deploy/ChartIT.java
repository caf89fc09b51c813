package dev.nodekeeper.it.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.config.Option;
import dev.nodekeeper.config.Options;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Kube;
import dev.nodekeeper.testbed.Reply;
import dev.nodekeeper.testbed.SharedControlPlane;
import dev.nodekeeper.testbed.binaries.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The chart and the overlays")
final class ChartIT {
  private static final List<String> COMPONENTS = List.of("admission-policy", "monitoring");

  /** So much of the Prometheus operator's kinds as we use, for a server that has none. */
  private static final String KIND =
      """
      {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
       "metadata": {"name": "PLURAL.monitoring.coreos.com",
        "annotations": {"api-approved.kubernetes.io": "unapproved, for a test"}},
       "spec": {"group": "monitoring.coreos.com", "scope": "Namespaced",
        "names": {"kind": "KIND", "plural": "PLURAL"},
        "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
         {"type": "object", "required": ["spec"], "properties": {"spec": {"type": "object",
          "properties": SPEC}}}}}]}}
      """;

  private static final String SERVICE_MONITOR =
      """
      {"selector": {"type": "object", "properties": {"matchLabels": {"type": "object",
         "additionalProperties": {"type": "string"}}}},
       "endpoints": {"type": "array", "items": {"type": "object", "properties": {
         "port": {"type": "string"}, "path": {"type": "string"},
         "interval": {"type": "string"}}}}}
      """;

  private static final String PROMETHEUS_RULE =
      """
      {"groups": {"type": "array", "items": {"type": "object", "required": ["name"],
        "properties": {"name": {"type": "string"}, "rules": {"type": "array", "items": {
         "type": "object", "required": ["expr"], "properties": {
          "record": {"type": "string"}, "alert": {"type": "string"}, "expr": {"type": "string"},
          "for": {"type": "string", "pattern": "^[0-9]+[smh]$"},
          "labels": {"type": "object", "additionalProperties": {"type": "string"}},
          "annotations": {"type": "object", "additionalProperties": {"type": "string"}}}}}}}}}
      """;

  private static final Kube ADMIN = SharedControlPlane.get().admin();
  private final Applied applied = new Applied(ADMIN);
  @TempDir Path folder;

  /** What others need to be there: the namespace, our priority class, the operator's kinds. */
  @BeforeAll
  static void ground() throws IOException {
    Applied applied = new Applied(ADMIN);
    applied.apply(Rendering.namespace()).expect();
    Rendering.overlay("single").stream()
        .filter(object -> object.path("kind").asText().equals("PriorityClass"))
        .forEach(object -> applied.apply(object).expect());
    applied.apply(kind("ServiceMonitor", SERVICE_MONITOR)).expect();
    applied.apply(kind("PrometheusRule", PROMETHEUS_RULE)).expect();
    await("both kinds are served")
        .atMost(World.HANG)
        .until(
            () -> ADMIN.get("/apis/monitoring.coreos.com/v1").body().path("resources").size() == 2);
  }

  private static JsonNode kind(String kind, String spec) throws IOException {
    return World.JSON.readTree(
        KIND.replace("PLURAL", kind.toLowerCase(Locale.ROOT) + "s")
            .replace("KIND", kind)
            .replace("SPEC", spec));
  }

  static Stream<String> valueSets() throws IOException {
    try (Stream<Path> files = Files.list(Rendering.CHART.resolve("ci"))) {
      return Stream.concat(
          Stream.of(""),
          files.map(file -> file.getFileName().toString()).sorted().toList().stream());
    }
  }

  @ParameterizedTest
  @CsvSource({"single,''", "ha,ha.yaml", "roles,roles.yaml"})
  @DisplayName("say the same")
  void same(String overlay, String values) {
    assertSame(Rendering.chart(values), Rendering.overlay(overlay));
  }

  @Test
  @DisplayName("say the same with all that is optional")
  void sameOptions() {
    assertSame(Rendering.chart("options.yaml"), Rendering.overlay("single", COMPONENTS));
  }

  private static void assertSame(List<JsonNode> chart, List<JsonNode> overlay) {
    Map<String, JsonNode> expected = byName(overlay);
    Map<String, JsonNode> actual = byName(chart);
    assertThat(actual.keySet()).isEqualTo(expected.keySet());
    actual.forEach((name, object) -> assertThat(object).as(name).isEqualTo(expected.get(name)));
  }

  /** Without the labels that only a chart has. */
  private static Map<String, JsonNode> byName(List<JsonNode> objects) {
    Map<String, JsonNode> named = new TreeMap<>();
    for (JsonNode object : objects) {
      JsonNode metadata = object.path("metadata");
      ((ObjectNode) metadata.path("labels"))
          .remove(
              List.of(
                  "app.kubernetes.io/version", "app.kubernetes.io/managed-by", "helm.sh/chart"));
      for (JsonNode container : containers(object)) {
        List<JsonNode> env = new ArrayList<>();
        container.path("env").forEach(env::add);
        env.sort(Comparator.comparing(variable -> variable.path("name").asText()));
        ((ObjectNode) container).putArray("env").addAll(env);
      }
      String name =
          String.join(
              " ",
              object.path("kind").asText(),
              metadata.path("namespace").asText(),
              metadata.path("name").asText());
      assertThat(named.put(name, object)).as(name).isNull();
    }
    assertThat(named).isNotEmpty();
    return named;
  }

  private static JsonNode containers(JsonNode object) {
    return object.path("spec").path("template").path("spec").path("containers");
  }

  @ParameterizedTest
  @ValueSource(strings = {"single", "ha", "roles"})
  @DisplayName("are accepted by the API server, field by field: an overlay")
  void overlayAccepted(String name) {
    accepted(Rendering.overlay(name));
    accepted(Rendering.overlay(name, COMPONENTS));
  }

  @ParameterizedTest
  @MethodSource("valueSets")
  @DisplayName("are accepted by the API server, field by field: the chart, with all its values")
  void chartAccepted(String values) {
    Outcome lint = Rendering.lint(values);
    assertThat(lint.code()).as(lint.output()).isZero();
    accepted(Rendering.chart(values));
  }

  private void accepted(List<JsonNode> objects) {
    for (JsonNode object : objects) {
      applied.tryOut(object).expect();
      if (object.path("kind").asText().equals("Deployment")) {
        Reply pod = podOf(object);
        assertThat(pod.code()).as(pod.message()).isEqualTo(201);
        checkSettings(object);
      }
    }
  }

  /** Pod Security speaks where pods are made, so a Deployment's is made, and dropped. */
  private static Reply podOf(JsonNode deployment) {
    ObjectNode pod = deployment.path("spec").path("template").deepCopy();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    ((ObjectNode) pod.path("metadata")).put("name", "one");
    return ADMIN.create(
        "/api/v1/namespaces/nodekeeper/pods?dryRun=All&fieldValidation=Strict", pod);
  }

  private static void checkSettings(JsonNode deployment) {
    List<String> known = Options.ALL.stream().map(Option::env).toList();
    JsonNode container = containers(deployment).path(0);
    assertThat(container.path("env").findValuesAsText("name"))
        .filteredOn(name -> name.startsWith("NODEKEEPER_"))
        .isNotEmpty()
        .isSubsetOf(known);
    assertThat(container.path("ports").path(0).path("containerPort").asText())
        .isEqualTo(Options.HTTP_PORT.standard());
  }

  @Test
  @DisplayName("run under Pod Security `restricted`, which would refuse them anything more")
  void restricted() {
    for (String change :
        List.of("allowPrivilegeEscalation", "runAsNonRoot", "capabilities", "seccompProfile")) {
      JsonNode deployment =
          Rendering.overlay("single").stream()
              .filter(object -> object.path("kind").asText().equals("Deployment"))
              .findFirst()
              .orElseThrow();
      assertThat(podOf(deployment).code()).isEqualTo(201);
      ((ObjectNode) containers(deployment).path(0).path("securityContext")).remove(change);
      ((ObjectNode) deployment.at("/spec/template/spec/securityContext")).remove(change);
      Reply refused = podOf(deployment);
      assertThat(refused.code()).isEqualTo(403);
      assertThat(refused.message()).contains("restricted", change);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{replicas: -1}",
        "{replica: 3}",
        "{shards: 257}",
        "{roles: capture}",
        "{image: {digest: latest}}",
        "{settings: {NODEKEEPER_ROLE: all}}",
        "{settings: {KEEP: labels}}",
        "{networkPolicy: {apiServerPorts: []}}"
      })
  @DisplayName("know what a value may be: the chart refuses")
  void schema(String values) throws IOException {
    Path file = Files.writeString(folder.resolve("values.yaml"), values);
    Outcome ran = Rendering.helm("template", "nodekeeper", Rendering.CHART, "--values=" + file);
    assertThat(ran.code()).isNotZero();
    assertThat(ran.output()).contains("don't meet the specifications of the schema");
  }
}
