package dev.nodekeeper.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.nodekeeper.core.keep.Role;
import dev.nodekeeper.testbed.Kube;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The rights that our manifests ask for, and no more: every test runs under them. */
public final class Rights {
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
  private static final Path MANIFESTS = Path.of("..", "deploy", "kustomize");
  private static final YAMLMapper YAML = new YAMLMapper();

  private Rights() {}

  public static void grant(Kube admin, String user, String namespace) {
    grant(admin, user, namespace, Role.ALL);
  }

  static void grant(Kube admin, String user, String namespace, Role role) {
    rules(role)
        .forEach(
            (scope, rules) ->
                bind(admin, user, scope.equals("nodekeeper") ? namespace : scope, rules));
  }

  /** Of a process with that role, by namespace; under "" those for the whole cluster. */
  public static Map<String, List<JsonNode>> rules(Role role) {
    return role == Role.ALL
        ? rules(MANIFESTS.resolve("base/rbac.yaml"), "nodekeeper")
        : rules(
            MANIFESTS.resolve("overlays/roles/rbac.yaml"),
            "nodekeeper-" + role.name().toLowerCase(Locale.ROOT));
  }

  /** The same in words, such as "NAMESPACE list configmaps", with that name for our namespace. */
  public static Set<String> words(Role role, String namespace) {
    Set<String> words = new TreeSet<>();
    rules(role)
        .forEach(
            (scope, rules) ->
                rules.forEach(
                    rule -> words.addAll(words(scope.replace("nodekeeper", namespace), rule))));
    return words;
  }

  private static List<String> words(String scope, JsonNode rule) {
    String resource = rule.path("resources").path(0).asText();
    return rule.path("verbs")
        .valueStream()
        .map(v -> scope + " " + v.asText() + " " + resource)
        .toList();
  }

  /** What the file gives to that account or user. */
  static Map<String, List<JsonNode>> rules(Path file, String subject) {
    List<JsonNode> documents = documents(file);
    Map<String, List<JsonNode>> rules = new TreeMap<>();
    for (JsonNode binding : documents) {
      if (binding.path("subjects").findValuesAsText("name").contains(subject)) {
        documents.stream()
            .filter(role -> isReferredTo(role, binding))
            .forEach(
                role ->
                    role.path("rules")
                        .forEach(
                            rule ->
                                rules
                                    .computeIfAbsent(namespace(role), _ -> new ArrayList<>())
                                    .add(rule)));
      }
    }
    return rules;
  }

  private static boolean isReferredTo(JsonNode role, JsonNode binding) {
    JsonNode reference = binding.path("roleRef");
    return role.path("kind").equals(reference.path("kind"))
        && role.path("metadata").path("name").equals(reference.path("name"))
        && namespace(role).equals(namespace(binding));
  }

  private static String namespace(JsonNode object) {
    return object.path("metadata").path("namespace").asText("");
  }

  /** The objects of a manifest, below {@code deploy/kustomize} unless it is a path of its own. */
  static List<JsonNode> documents(Path file) {
    try (var values = YAML.readerFor(JsonNode.class).<JsonNode>readValues(file.toFile())) {
      return values.readAll();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<JsonNode> documents(String manifest) {
    return documents(MANIFESTS.resolve(manifest));
  }

  private static void bind(Kube admin, String user, String namespace, List<JsonNode> rules) {
    boolean everywhere = namespace.isEmpty();
    String scope = everywhere ? RBAC : RBAC + "/namespaces/" + namespace;
    String kind = everywhere ? "ClusterRole" : "Role";
    String plural = everywhere ? "/clusterroles" : "/roles";
    String name = user + (everywhere ? "" : "-" + namespace);
    ObjectNode role = World.object(kind, name).put("apiVersion", "rbac.authorization.k8s.io/v1");
    role.putArray("rules").addAll(rules);
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
