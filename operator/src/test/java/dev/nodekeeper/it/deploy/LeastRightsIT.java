package dev.nodekeeper.it.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.keep.Role;
import dev.nodekeeper.it.Rights;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Kube;
import dev.nodekeeper.testbed.SharedControlPlane;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Our accounts may do what is in the manifests, and nothing else that the server knows")
final class LeastRightsIT {
  private static final Kube ADMIN = SharedControlPlane.get().admin();
  private static final String REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
  private static final List<String> VERBS =
      List.of("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection");

  /** Of some resources only; asked for everywhere at once. */
  private static final List<String> RARE_VERBS =
      List.of("bind", "escalate", "impersonate", "approve", "sign", "attest", "use", "proxy");

  private static final List<String> NAMESPACES =
      List.of("", "nodekeeper", "default", "kube-system");

  /** What everybody who is known may ask about themselves. */
  private static final Set<String> EVERYBODYS =
      Set.of(
          " create selfsubjectaccessreviews",
          " create selfsubjectreviews",
          " create selfsubjectrulesreviews");

  private static final List<JsonNode> OURS = new ArrayList<>();

  @BeforeAll
  static void install() {
    Applied applied = new Applied(ADMIN);
    applied.apply(Rendering.namespace()).expect();
    OURS.addAll(Rendering.overlay("single"));
    OURS.addAll(Rendering.overlay("roles"));
    OURS.removeIf(object -> !object.path("kind").asText().matches(".*Role.*|.*Account"));
    OURS.forEach(object -> applied.apply(object).expect());
  }

  @AfterAll
  static void uninstall() {
    Applied applied = new Applied(ADMIN);
    OURS.forEach(applied::remove);
  }

  private record Question(String namespace, String verb, String group, String resource) {
    String words() {
      return namespace + " " + verb + " " + resource;
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("every resource, subresource and verb is asked for by a SubjectAccessReview")
  void exactly(Role role) throws Exception {
    List<Question> questions = questions();
    assertThat(questions)
        .hasSizeGreaterThan(2000)
        .extracting(Question::words)
        .contains(
            "nodekeeper get secrets",
            " list secrets",
            " delete nodes",
            " create nodes",
            " patch nodes/status",
            " get nodes/proxy",
            "kube-system get configmaps",
            "nodekeeper create serviceaccounts/token",
            " impersonate users",
            " escalate clusterroles");
    Set<String> expected = new TreeSet<>(EVERYBODYS);
    expected.addAll(Rights.words(role, "nodekeeper"));
    assertThat(allowed(role, questions)).isEqualTo(expected);
  }

  private static Set<String> allowed(Role role, List<Question> questions) throws Exception {
    Set<String> allowed = new ConcurrentSkipListSet<>();
    Semaphore atOnce = new Semaphore(16);
    List<Future<?>> asked = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Question question : questions) {
        asked.add(
            threads.submit(
                () -> {
                  atOnce.acquireUninterruptibly();
                  try {
                    if (ask(role, question)) {
                      allowed.add(question.words());
                    }
                  } finally {
                    atOnce.release();
                  }
                }));
      }
      for (Future<?> one : asked) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
    return allowed;
  }

  private static boolean ask(Role role, Question question) {
    String suffix = role == Role.ALL ? "" : "-" + role.name().toLowerCase(Locale.ROOT);
    ObjectNode review =
        World.object("SubjectAccessReview", "").put("apiVersion", "authorization.k8s.io/v1");
    review.remove("metadata");
    ObjectNode spec = review.putObject("spec");
    spec.put("user", "system:serviceaccount:nodekeeper:nodekeeper" + suffix);
    spec.putArray("groups")
        .add("system:serviceaccounts")
        .add("system:serviceaccounts:nodekeeper")
        .add("system:authenticated");
    String[] resource = question.resource().split("/", 2);
    spec.putObject("resourceAttributes")
        .put("namespace", question.namespace())
        .put("verb", question.verb())
        .put("group", question.group())
        .put("resource", resource[0])
        .put("subresource", resource.length > 1 ? resource[1] : "");
    return ADMIN.create(REVIEWS, review).expect().path("status").path("allowed").asBoolean();
  }

  private static List<Question> questions() {
    List<Question> questions = new ArrayList<>();
    List.of("users", "groups").forEach(who -> add(questions, "", who, false));
    List<String> versions = new ArrayList<>(List.of("/api/v1"));
    ADMIN
        .get("/apis")
        .expect()
        .path("groups")
        .forEach(
            group -> versions.add("/apis/" + group.at("/preferredVersion/groupVersion").asText()));
    for (String version : versions) {
      String group = version.startsWith("/apis/") ? version.split("/")[2] : "";
      for (JsonNode resource : ADMIN.get(version).expect().path("resources")) {
        add(
            questions,
            group,
            resource.path("name").asText(),
            resource.path("namespaced").asBoolean());
      }
    }
    return questions;
  }

  private static void add(
      List<Question> questions, String group, String resource, boolean namespaced) {
    RARE_VERBS.forEach(verb -> questions.add(new Question("", verb, group, resource)));
    for (String namespace : namespaced ? NAMESPACES : List.of("")) {
      VERBS.forEach(verb -> questions.add(new Question(namespace, verb, group, resource)));
    }
  }
}
