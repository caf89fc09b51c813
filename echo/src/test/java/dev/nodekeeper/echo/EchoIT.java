package dev.nodekeeper.echo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.testbed.Patch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The life of an Echo, with pods")
final class EchoIT {

  @Test
  @DisplayName("the sample becomes two Running pods and a NodePort; changed, scaled, deleted")
  void life() throws Exception {
    try (var world = new World()) {
      world.operator();
      world.kubectl("apply", "-f", "deploy/samples/echo.yaml");
      // The sample names its namespace: it must apply unchanged.
      var path = "/apis/test.com/v1/namespaces/default/echoes/test-echo";
      World.until(
          () ->
              assertThat(world.kubectl("get", "echo", "test-echo"))
                  .containsPattern("NAME +REPLICAS +READY +NODEPORT +TEXT +AGE")
                  .containsPattern("test-echo +2 +2 +3[0-9]{4} +Hello world +"));
      World.until(() -> assertThat(phases(world)).isEqualTo("Running Running "));
      var nodePort = world.admin().get(path).expect().at("/status/nodePort").asInt();
      assertThat(
              world
                  .admin()
                  .get("/api/v1/namespaces/default/services/test-echo")
                  .expect()
                  .at("/spec/ports/0/nodePort")
                  .asInt())
          .isEqualTo(nodePort);

      world.kubectl(
          "patch",
          "echo",
          "test-echo",
          "--type=merge",
          "-p",
          "{\"spec\":{\"text\":\"New\",\"replicas\":3}}");
      World.until(() -> assertThat(podArgs(world)).isEqualTo("-text=New -text=New -text=New "));
      assertThat(world.admin().get(path).expect().at("/status/nodePort").asInt())
          .isEqualTo(nodePort);

      world.kubectl("scale", "echo", "test-echo", "--replicas=1");
      World.until(() -> assertThat(podArgs(world)).isEqualTo("-text=New "));
      World.until(
          () ->
              assertThat(world.kubectl("get", "echo", "test-echo"))
                  .containsPattern("test-echo +1 +1 "));
      var scale = world.admin().get(path + "/scale").expect();
      assertThat(scale.at("/status/replicas").asInt()).isEqualTo(1);
      assertThat(scale.at("/status/selector").asText()).isEqualTo("test.com/app=test-echo");

      world.kubectl("delete", "echo", "test-echo", "--timeout=180s");
      World.until(() -> assertThat(podArgs(world)).isEmpty());
      assertThat(world.admin().get("/apis/apps/v1/namespaces/default/deployments/test-echo").code())
          .isEqualTo(404);
      assertThat(world.admin().get("/api/v1/namespaces/default/services/test-echo").code())
          .isEqualTo(404);
    }
  }

  private static String phases(World world) {
    return world.kubectl(
        "get",
        "pods",
        "-l",
        "test.com/app=test-echo",
        "-o",
        "jsonpath={range .items[*]}{.status.phase} {end}");
  }

  private static String podArgs(World world) {
    return world.kubectl(
        "get",
        "pods",
        "-l",
        "test.com/app=test-echo",
        "-o",
        "jsonpath={range .items[*]}{.spec.containers[0].args[0]} {end}");
  }

  @Test
  @DisplayName("the operator's own pods are admitted to the restricted namespace of the manifests")
  void manifests() throws Exception {
    try (var world = new World()) {
      World.until(
          () ->
              assertThat(
                      world.kubectl(
                          "get",
                          "deployment/echo-operator",
                          "--namespace=echo-operator",
                          "--output=jsonpath={.status.readyReplicas}"))
                  .isEqualTo("2"));
    }
  }

  @Test
  @DisplayName("deleted while nobody runs: it waits for us, and the next one of us cleans up")
  void deletedWhileDown() throws Exception {
    try (var world = new World()) {
      var first = world.operator();
      world.create("e", "{\"text\": \"t\", \"replicas\": 1}").expect();
      world.awaitSettled("e");
      first.close();
      world.admin().delete(world.echo("e")).expect();
      assertThat(world.admin().get(world.echo("e")).expect().at("/metadata/finalizers/0").asText())
          .isEqualTo(EchoReconciler.FINALIZER);
      assertThat(world.admin().get(world.deployment("e")).code()).isEqualTo(200);
      world.operator();
      world.awaitGone("e");
    }
  }

  @Test
  @DisplayName("the finalizer taken away by hand: the garbage collector does the rest")
  void garbageCollected() throws Exception {
    try (var world = new World()) {
      var first = world.operator();
      world.create("e", "{\"text\": \"t\", \"replicas\": 1}").expect();
      world.awaitSettled("e");
      first.close();
      world.admin().delete(world.echo("e")).expect();
      world
          .admin()
          .patch(world.echo("e"), Patch.MERGE, "{\"metadata\": {\"finalizers\": null}}")
          .expect();
      world.awaitGone("e");
    }
  }

  @Test
  @DisplayName(
      "without replicas the Deployment's number is other people's, also when we had one before")
  void replicasLetGo() throws Exception {
    try (var world = new World()) {
      world.operator();
      world.create("e", "{\"text\": \"t\", \"replicas\": 3}").expect();
      world.awaitSettled("e");
      world.change("e", "{\"replicas\": null, \"text\": \"u\"}").expect();
      World.until(() -> assertThat(args(world, "e")).isEqualTo("-text=u"));
      assertThat(replicas(world, "e")).as("not reset to the default of 1").isEqualTo(3);
      world.kubectl("scale", "-n", world.namespace, "deployment/e", "--replicas=2");
      world.change("e", "{\"text\": \"v\"}").expect();
      World.until(() -> assertThat(args(world, "e")).isEqualTo("-text=v"));
      world.awaitSettled("e");
      assertThat(replicas(world, "e")).isEqualTo(2);
      world.change("e", "{\"replicas\": 1}").expect();
      World.until(() -> assertThat(replicas(world, "e")).isEqualTo(1));
    }
  }

  @Test
  @DisplayName("a real HorizontalPodAutoscaler scales an Echo")
  void autoscaled() throws Exception {
    try (var world = new World()) {
      world.operator();
      world.create("e", "{\"text\": \"t\", \"replicas\": 1}").expect();
      world.awaitSettled("e");
      // Nobody measures pods here, but for fewer than the minimum it needs no measure.
      world
          .admin()
          .create(
              "/apis/autoscaling/v2/namespaces/" + world.namespace + "/horizontalpodautoscalers",
              """
              {"metadata": {"name": "e"}, "spec": {"minReplicas": 2, "maxReplicas": 3,
                "scaleTargetRef": {"apiVersion": "test.com/v1", "kind": "Echo", "name": "e"}}}
              """)
          .expect();
      World.until(() -> assertThat(replicas(world, "e")).isEqualTo(2));
      world.awaitSettled("e");
    }
  }

  @Test
  @DisplayName("another type of Service: the node port goes, and comes back with the type")
  void serviceType() throws Exception {
    try (var world = new World()) {
      world.operator();
      world.create("e", "{\"text\": \"t\", \"serviceType\": \"ClusterIP\"}").expect();
      world.awaitSettled("e");
      assertThat(statusPort(world).isMissingNode()).isTrue();
      world.change("e", "{\"serviceType\": \"NodePort\"}").expect();
      World.until(() -> assertThat(statusPort(world).asInt()).isPositive());
      world.change("e", "{\"serviceType\": \"ClusterIP\"}").expect();
      World.until(() -> assertThat(statusPort(world).isMissingNode()).isTrue());
      world.awaitSettled("e");
    }
  }

  private static JsonNode statusPort(World world) {
    return world.admin().get(world.echo("e")).expect().at("/status/nodePort");
  }

  private static JsonNode found(World world, String name) {
    return world.admin().get(world.deployment(name)).expect();
  }

  private static int replicas(World world, String name) {
    return found(world, name).at("/spec/replicas").asInt();
  }

  private static String args(World world, String name) {
    return found(world, name).at("/spec/template/spec/containers/0/args/0").asText();
  }
}
