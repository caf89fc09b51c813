package dev.nodekeeper.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.Nodekeeper;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Options;
import dev.nodekeeper.testbed.Part;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Health, and a control plane that goes away")
final class HealthIT {
  private final ControlPlane plane = ControlPlane.start(Options.defaults());
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void end() {
    http.close();
    plane.close();
  }

  private HttpResponse<String> get(Nodekeeper keeper, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + keeper.httpPort() + path);
    return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  private Nodekeeper start() throws Exception {
    return Nodekeeper.start(
        Settings.parse(
            Map.of(
                "--kubeconfig", List.of(plane.adminKubeconfig().toString()),
                "--http-port", List.of("0"),
                "--console", List.of("off"),
                "--log-level", List.of("error")),
            Map.of()));
  }

  @Test
  @DisplayName(
      "not ready before the API server is there; then ready, the missing namespace made, and working")
  void startsBeforeTheApiServer() throws Exception {
    plane.kill(Part.APISERVER);
    try (Nodekeeper keeper = start()) {
      assertThat(get(keeper, "/livez").statusCode()).isEqualTo(200);
      HttpResponse<String> notReady = get(keeper, "/readyz");
      assertThat(notReady.statusCode()).isEqualTo(503);
      assertThat(notReady.body()).isNotBlank();
      plane.start(Part.APISERVER);
      assertThat(keeper.awaitReady(World.HANG)).isTrue();
      assertThat(get(keeper, "/readyz").statusCode()).isEqualTo(200);
      assertThat(get(keeper, "/metrics").body()).contains("nodekeeper_");
      plane.admin().create("/api/v1/nodes", World.object("Node", "n1")).expect();
      label("n1", "team", "a");
      String record = "/api/v1/namespaces/nodekeeper/configmaps/n1";
      await().atMost(World.HANG).until(() -> plane.admin().get(record).ok());
    }
  }

  @Test
  @DisplayName("an API server that is killed and restarted costs nothing: the watches go on")
  void survivesRestarts() throws Exception {
    try (Nodekeeper keeper = start()) {
      assertThat(keeper.awaitReady(World.HANG)).isTrue();
      plane.admin().create("/api/v1/nodes", World.object("Node", "n1")).expect();
      for (int round = 0; round < 3; round++) {
        String value = "round-" + round;
        label("n1", "team", value);
        String record = "/api/v1/namespaces/nodekeeper/configmaps/n1";
        await()
            .atMost(World.HANG)
            .until(() -> plane.admin().get(record).body().toString().contains(value));
        plane.kill(Part.APISERVER);
        plane.start(Part.APISERVER);
        plane.admin().delete("/api/v1/nodes/n1").expect();
        plane.admin().create("/api/v1/nodes", World.object("Node", "n1")).expect();
        await()
            .atMost(World.HANG)
            .until(
                () ->
                    plane
                        .admin()
                        .get("/api/v1/nodes/n1")
                        .expect()
                        .path("metadata")
                        .path("labels")
                        .path("team")
                        .asText()
                        .equals(value));
      }
    }
  }

  private void label(String node, String key, String value) {
    plane
        .admin()
        .patch(
            "/api/v1/nodes/" + node,
            dev.nodekeeper.testbed.Patch.MERGE,
            "{\"metadata\":{\"labels\":{\"" + key + "\":\"" + value + "\"}}}")
        .expect();
  }
}
