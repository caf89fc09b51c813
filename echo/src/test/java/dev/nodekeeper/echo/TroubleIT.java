package dev.nodekeeper.echo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.nodekeeper.testbed.Patch;
import dev.nodekeeper.testbed.fault.Match;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What others do to an Echo and its children")
final class TroubleIT {
  private static final String SPEC = "{\"text\": \"t\", \"replicas\": 1}";

  @Test
  @DisplayName("bad specs are refused by the API server, in our words")
  void refused() throws Exception {
    try (var world = new World()) {
      refused(
          world, "e", "{\"text\": \"t\", \"replicas\": 101}", "replicas must be between 0 and 100");
      refused(
          world, "e", "{\"text\": \"t\", \"replicas\": -1}", "replicas must be between 0 and 100");
      refused(world, "e", "{\"text\": \"\"}", "text must have 1 to 4096 characters");
      refused(
          world,
          "e",
          "{\"text\": \"" + "ü".repeat(4097) + "\"}",
          "text must have 1 to 4096 characters");
      refused(world, "e", "{\"text\": \"a\\u0000b\"}", "text must not contain NUL");
      refused(world, "e", "{\"text\": \"t\", \"image\": \"a b\"}", "without spaces");
      refused(world, "e", "{\"replicas\": 1}", "spec.text: Required value");
      refused(world, "1e", SPEC, "becomes the name of a Service");
      refused(world, "e.f", SPEC, "becomes the name of a Service");
      refused(world, "e".repeat(64), SPEC, "becomes the name of a Service");
      refused(
          world, "e", "{\"text\": \"t\", \"serviceType\": \"ExternalName\"}", "Unsupported value");
      assertThat(
              world
                  .create("e", "{\"text\": \"" + "ü".repeat(4096) + "\"}")
                  .expect()
                  .at("/spec/serviceType")
                  .asText())
          .isEqualTo("NodePort");
      var illegal =
          catchThrowable(() -> world.kubectl("apply", "-f", "deploy/samples/illegal.yaml"));
      assertThat(illegal)
          .hasMessageContainingAll(
              "replicas must be", "text must have", "image must be", "the name of an Echo");
    }
  }

  private static void refused(World world, String name, String spec, String message) {
    var reply = world.create(name, spec);
    assertThat(reply.code()).isEqualTo(422);
    assertThat(reply.message()).contains(message);
  }

  @Test
  @DisplayName(
      "drift is repaired, fields of others stay, deleted children return, the node port stays")
  void drift() throws Exception {
    try (var world = new World()) {
      world.operator();
      world.create("e", SPEC).expect();
      world.awaitSettled("e");
      var nodePort = nodePort(world);
      world
          .admin()
          .patch(
              world.deployment("e"),
              Patch.STRATEGIC,
              """
              {"metadata": {"annotations": {"theirs": "stays"}},
               "spec": {"replicas": 5, "revisionHistoryLimit": 3, "template": {"spec": {"containers": [
                 {"name": "http-echo", "args": ["-text=vandal"], "terminationMessagePath": "/tmp/theirs"}]}}}}
              """)
          .expect();
      World.until(
          () -> {
            var found = world.admin().get(world.deployment("e")).expect();
            assertThat(found.at("/spec/replicas").asInt()).isEqualTo(1);
            assertThat(found.at("/spec/template/spec/containers/0/args/0").asText())
                .isEqualTo("-text=t");
            assertThat(found.at("/spec/revisionHistoryLimit").asInt()).isEqualTo(3);
            assertThat(found.at("/metadata/annotations/theirs").asText()).isEqualTo("stays");
            assertThat(found.at("/spec/template/spec/containers/0/terminationMessagePath").asText())
                .isEqualTo("/tmp/theirs");
          });
      // Without the label our watch does not see it; without the owner it would not be ours.
      world
          .admin()
          .patch(
              world.service("e"),
              Patch.MERGE,
              "{\"metadata\": {\"labels\": null}, \"spec\": {\"selector\": {\"test.com/app\": \"vandal\"}}}")
          .expect();
      World.until(
          () -> {
            var found = world.admin().get(world.service("e")).expect();
            assertThat(found.at("/metadata/labels").path("test.com/app").asText()).isEqualTo("e");
            assertThat(found.at("/spec/selector").path("test.com/app").asText()).isEqualTo("e");
          });
      assertThat(nodePort(world)).isEqualTo(nodePort);
      world.change("e", "{\"text\": \"u\"}").expect();
      world.awaitSettled("e");
      assertThat(nodePort(world)).isEqualTo(nodePort);

      for (var path : List.of(world.deployment("e"), world.service("e"))) {
        var old = world.admin().get(path).uid();
        world.admin().delete(path).expect();
        World.until(() -> assertThat(world.admin().get(path).uid()).isNotEmpty().isNotEqualTo(old));
      }
      world.awaitSettled("e");
      assertThat(world.admin().get(world.echo("e")).expect().at("/status/nodePort").asInt())
          .isEqualTo(nodePort(world));
    }
  }

  private static int nodePort(World world) {
    return world.admin().get(world.service("e")).expect().at("/spec/ports/0/nodePort").asInt();
  }

  @Test
  @DisplayName(
      "a foreign Service of that name is left alone: condition, event, and all is well when it goes")
  void foreign() throws Exception {
    try (var world = new World()) {
      world.operator();
      var theirs =
          "{\"metadata\": {\"name\": \"e\"}, \"spec\": {\"ports\": [{\"port\": 80}], \"selector\": {\"app\": \"theirs\"}}}";
      var before =
          world
              .admin()
              .create("/api/v1/namespaces/" + world.namespace + "/services", theirs)
              .expect();
      world.create("e", SPEC).expect();
      World.until(
          () -> assertThat(world.conditions("e")).containsEntry("Degraded", "True ForeignChild"));
      assertThat(world.message("e", "Degraded")).contains("Service e that is not ours");
      World.until(() -> assertThat(world.events("e")).containsOnlyOnce("Warning ForeignChild"));
      // The other child is not held up.
      World.until(
          () -> assertThat(world.conditions("e")).containsEntry("Available", "True EnoughPods"));
      assertThat(world.admin().get(world.service("e")).expect()).isEqualTo(before);

      // Nor is it deleted with the Echo.
      world.admin().delete(world.echo("e")).expect();
      World.until(() -> assertThat(world.admin().get(world.echo("e")).code()).isEqualTo(404));
      assertThat(world.admin().get(world.service("e")).expect()).isEqualTo(before);

      world.create("e", SPEC).expect();
      World.until(
          () -> assertThat(world.conditions("e")).containsEntry("Degraded", "True ForeignChild"));
      world.admin().delete(world.service("e")).expect();
      world.awaitSettled("e");
    }
  }

  @Test
  @DisplayName(
      "a child that is forbidden shows in the conditions; the other child and other Echos go on")
  void forbidden() throws Exception {
    try (var world = new World();
        var other = new World()) {
      var proxy = world.proxy();
      world
          .admin()
          .create(
              "/api/v1/namespaces/" + world.namespace + "/resourcequotas",
              "{\"metadata\": {\"name\": \"none\"}, \"spec\": {\"hard\": {\"count/services\": \"0\"}}}")
          .expect();
      world.operator(proxy);
      world.create("e", SPEC).expect();
      other.create("e", SPEC).expect();
      other.awaitSettled("e");
      World.until(
          () -> assertThat(world.conditions("e")).containsEntry("Degraded", "True Forbidden"));
      assertThat(world.message("e", "Degraded")).contains("exceeded quota");
      World.until(
          () -> assertThat(world.conditions("e")).containsEntry("Available", "True EnoughPods"));
      world
          .admin()
          .delete("/api/v1/namespaces/" + world.namespace + "/resourcequotas/none")
          .expect();
      awaitSettledAtOnce(world);
      assertThat(proxy.count(Match.delete("*"))).isZero();
    }
  }

  @Test
  @DisplayName(
      "a right that we lose later: Degraded says so, Available still tells of the pods that run")
  void forbiddenLater() throws Exception {
    try (var world = new World()) {
      world.operator();
      world.create("e", SPEC).expect();
      world.awaitSettled("e");
      var role = "/apis/rbac.authorization.k8s.io/v1/clusterroles/echo-operator";
      var rights = world.admin().get(role).expect().get("rules").toString();
      var without = rights.replace("\"create\",\"patch\",\"delete\"", "\"delete\"");
      assertThat(without).isNotEqualTo(rights);
      try {
        world.admin().patch(role, Patch.MERGE, "{\"rules\": " + without + "}").expect();
        world.change("e", "{\"text\": \"u\"}").expect();
        World.until(
            () ->
                assertThat(world.conditions("e"))
                    .containsEntry("Degraded", "True Forbidden")
                    .containsEntry("Progressing", "True RollingOut")
                    .containsEntry("Available", "True EnoughPods"));
        assertThat(world.message("e", "Degraded")).contains("cannot patch resource");
        // What never got its children can go all the same.
        world.create("f", SPEC).expect();
        World.until(
            () -> assertThat(world.conditions("f")).containsEntry("Degraded", "True Forbidden"));
        world.admin().delete(world.echo("f")).expect();
        world.awaitGone("f");
      } finally {
        world.admin().patch(role, Patch.MERGE, "{\"rules\": " + rights + "}").expect();
      }
      awaitSettledAtOnce(world);
    }
  }

  @Test
  @DisplayName(
      "a child that the server fails on (here: a webhook that is down) shows in the conditions;"
          + " the other child and other Echos go on")
  void failing() throws Exception {
    try (var world = new World();
        var other = new World()) {
      var hooks = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
      world
          .admin()
          .create(
              hooks,
              """
              {"metadata": {"name": "down"}, "webhooks": [{"name": "down.example.com", "sideEffects": "None",
                "admissionReviewVersions": ["v1"], "clientConfig": {"url": "https://127.0.0.1:1/"},
                "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "%s"}},
                "rules": [{"operations": ["CREATE"], "apiGroups": ["", "apps"], "apiVersions": ["v1"],
                           "resources": ["configmaps", "deployments"]}]}]}
              """
                  .formatted(world.namespace))
          .expect();
      try {
        // The API server hears of the webhook a moment later.
        var maps = "/api/v1/namespaces/" + world.namespace + "/configmaps";
        var probe = "{\"metadata\": {\"generateName\": \"probe-\"}}";
        World.until(() -> assertThat(world.admin().create(maps, probe).code()).isEqualTo(500));
        world.operator();
        world.create("e", SPEC).expect();
        other.create("e", SPEC).expect();
        World.until(
            () ->
                assertThat(world.conditions("e"))
                    .containsEntry("Degraded", "True Failing")
                    .containsEntry("Available", "False NoDeployment"));
        assertThat(world.message("e", "Degraded")).contains("down.example.com");
        assertThat(world.admin().get(world.service("e")).code()).isEqualTo(200);
        other.awaitSettled("e");
      } finally {
        world.admin().delete(hooks + "/down").expect();
      }
      awaitSettledAtOnce(world);
    }
  }

  /** That it looks again by itself takes 15 s, and shows in {@link #foreign}. */
  private static void awaitSettledAtOnce(World world) {
    World.until(
        () -> {
          world.change("e", "{\"text\": \"" + System.nanoTime() + "\"}").expect();
          world.awaitSettledWithin("e", Duration.ofSeconds(10));
        });
  }

  @Test
  @DisplayName("pods that cannot be made show in the conditions")
  void noPods() throws Exception {
    try (var world = new World()) {
      world
          .admin()
          .create(
              "/api/v1/namespaces/" + world.namespace + "/resourcequotas",
              "{\"metadata\": {\"name\": \"none\"}, \"spec\": {\"hard\": {\"pods\": \"0\"}}}")
          .expect();
      world.operator();
      world.create("e", SPEC).expect();
      World.until(
          () ->
              assertThat(world.conditions("e"))
                  .containsEntry("Degraded", "True RolloutFailed")
                  .containsEntry("Available", "False TooFewPods"));
      assertThat(world.message("e", "Degraded")).contains("exceeded quota");
    }
  }

  @Test
  @DisplayName("a child that does not go is named, and the Echo stays until it does")
  void stuck() throws Exception {
    try (var world = new World()) {
      // Of the minute that a child may take, most is over by this clock: the second look sees it.
      world.operatorAhead(Duration.ofSeconds(50));
      world.create("e", SPEC).expect();
      world.awaitSettled("e");
      world
          .admin()
          .patch(
              world.service("e"),
              Patch.MERGE,
              "{\"metadata\": {\"finalizers\": [\"theirs.example/wait\"]}}")
          .expect();
      world.admin().delete(world.echo("e")).expect();
      World.until(
          () -> assertThat(world.conditions("e")).containsEntry("Degraded", "True DeletionStuck"));
      assertThat(world.message("e", "Degraded")).contains("Service e", "theirs.example/wait");
      World.until(() -> assertThat(world.events("e")).contains("Warning DeletionStuck"));
      world
          .admin()
          .patch(world.service("e"), Patch.MERGE, "{\"metadata\": {\"finalizers\": null}}")
          .expect();
      world.awaitGone("e");
    }
  }

  @Test
  @DisplayName("it starts although the server does not list yet, as after the CRD was just made")
  void tooEarly() throws Exception {
    try (var world = new World()) {
      var proxy = world.proxy();
      proxy.on(Match.list("echoes")).firstOnes(2).answer(429, Duration.ofSeconds(1));
      world.create("e", SPEC).expect();
      world.operator(proxy);
      world.awaitSettled("e");
      assertThat(proxy.count(Match.list("echoes"))).isGreaterThan(2);
    }
  }
}
