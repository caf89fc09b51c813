package dev.nodekeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.Nodekeeper;
import dev.nodekeeper.cli.it.Installed;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Kube;
import dev.nodekeeper.testbed.Machine;
import dev.nodekeeper.testbed.Options;
import dev.nodekeeper.testbed.Patch;
import dev.nodekeeper.testbed.ServiceAccount;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("We go without a trace")
final class UninstallIT {
  private static final Duration HANG = Duration.ofSeconds(60);
  private static final String LABEL = "{\"metadata\":{\"labels\":{\"team\":\"vision\"}}}";
  private static final String FOREIGN =
      "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"theirs\"}}";

  private final ControlPlane plane = ControlPlane.start(Options.defaults());
  private final Kube admin = plane.admin();

  @AfterEach
  void end() {
    plane.close();
  }

  @Test
  @DisplayName("what is ours is listed, removed once nobody runs, and nothing else is touched")
  void purge() throws Exception {
    Installed installed = Installed.on(plane, "single");
    Path kubeconfig = new ServiceAccount(plane, "nodekeeper", "nodekeeper").kubeconfig();
    admin.create(Installed.NAMESPACE + "/configmaps", FOREIGN).expect();
    try (Nodekeeper _ =
        Nodekeeper.start(
            Settings.parse(
                Map.of(
                    "--kubeconfig", List.of(kubeconfig.toString()),
                    "--http-port", List.of("0"),
                    "--console", List.of("off")),
                Map.of()))) {
      life("n1");
      assertThat(uninstall().out().lines())
          .contains("record n1", "mark n1", "lease nodekeeper")
          .noneMatch(line -> line.contains("theirs"));
      Typed refused = uninstall("--purge");
      assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(refused.err()).contains("still runs");
      assertThat(admin.get(Installed.NAMESPACE + "/configmaps/n1").ok()).isTrue();
    }

    installed.uninstall();
    for (String kinds :
        List.of(
            "deployments,serviceaccounts,poddisruptionbudgets,networkpolicies,services",
            "roles,rolebindings,clusterroles,clusterrolebindings,priorityclasses",
            "flowschemas,prioritylevelconfigurations")) {
      await(kinds + " are gone")
          .atMost(HANG)
          .until(() -> found(installed, kinds, "app.kubernetes.io/name=nodekeeper").isEmpty());
    }

    assertThat(uninstall("--purge", "--keep-records", "--keep-marks").exitCode()).isZero();
    assertThat(uninstall().out().lines()).containsExactlyInAnyOrder("record n1", "mark n1");
    assertThat(uninstall("--purge").exitCode()).isZero();
    assertThat(uninstall().out()).isEmpty();
    JsonNode node = admin.get("/api/v1/nodes/n1").expect();
    assertThat(node.path("metadata").toString()).doesNotContain("nodekeeper.dev/");
    assertThat(node.at("/metadata/labels/team").asText()).isEqualTo("vision");
    assertThat(admin.get(Installed.NAMESPACE + "/configmaps/theirs").ok()).isTrue();
    assertThat(found(installed, "configmaps,leases", "app.kubernetes.io/managed-by=nodekeeper"))
        .isEmpty();
  }

  private static String found(Installed installed, String kinds, String selector) throws Exception {
    return installed
        .kubectl("get", kinds, "--all-namespaces", "--selector=" + selector, "--output=name")
        .strip();
  }

  /** Ends with a record, and with a marker on the node. */
  private void life(String name) {
    String node = "/api/v1/nodes/" + name;
    admin.create("/api/v1/nodes", Machine.named(name).node()).expect();
    admin.patch(node, Patch.MERGE, LABEL).expect();
    await("a record")
        .atMost(HANG)
        .until(() -> admin.get(Installed.NAMESPACE + "/configmaps/" + name).ok());
    admin.delete(node).expect();
    admin.create("/api/v1/nodes", Machine.named(name).node()).expect();
    await("restored")
        .atMost(HANG)
        .until(() -> admin.get(node).body().at("/metadata/labels/team").asText().equals("vision"));
  }

  private Typed uninstall(String... flags) {
    var all = new ArrayList<>(List.of("uninstall"));
    all.add("--kubeconfig=" + plane.adminKubeconfig());
    all.addAll(List.of(flags));
    return Typed.plainly(all.toArray(String[]::new));
  }
}
