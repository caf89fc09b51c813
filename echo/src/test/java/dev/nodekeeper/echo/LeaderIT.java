package dev.nodekeeper.echo;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Two replicas, probes and metrics")
final class LeaderIT {

  @Test
  @DisplayName("one works, the other one is ready and takes over")
  void takeOver() throws Exception {
    try (var world = new World()) {
      var kubeconfig = world.plane().kubeconfig(World.ACCOUNT);
      var first = world.operator(kubeconfig, Optional.of(election("first")));
      World.until(() -> assertThat(holder(world)).isEqualTo("first"));
      var second = world.operator(kubeconfig, Optional.of(election("second")));
      for (var operator : new EchoOperator[] {first, second}) {
        World.until(() -> assertThat(get(operator, "/readyz")).isEqualTo("ok\n"));
        assertThat(get(operator, "/livez")).isEqualTo("ok\n");
      }
      world.create("e", "{\"text\": \"t\", \"replicas\": 1}").expect();
      world.awaitSettled("e");
      assertThat(get(first, "/metrics"))
          .containsPattern("reconciliations_success_total\\{.*} [1-9]");
      assertThat(get(second, "/metrics"))
          .doesNotContainPattern("reconciliations_success_total\\{.*} [1-9]");
      first.close();
      world.change("e", "{\"text\": \"u\", \"replicas\": 2}").expect();
      World.until(() -> assertThat(holder(world)).isEqualTo("second"));
      world.awaitSettled("e");
    }
  }

  /** As in production, but the end of a leader is not the end of this JVM. */
  private static LeaderElectionConfiguration election(String name) {
    return LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration(EchoReconciler.OPERATOR)
        .withLeaseNamespace("echo-operator")
        .withIdentity(name)
        .buildForTest(false);
  }

  private static String holder(World world) {
    return world
        .admin()
        .get("/apis/coordination.k8s.io/v1/namespaces/echo-operator/leases/echo-operator")
        .expect()
        .at("/spec/holderIdentity")
        .asText();
  }

  private static String get(EchoOperator operator, String path)
      throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      var address = URI.create("http://127.0.0.1:" + operator.port() + path);
      return http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString()).body();
    }
  }
}
