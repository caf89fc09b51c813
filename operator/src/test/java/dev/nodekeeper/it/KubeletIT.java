package dev.nodekeeper.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.nodekeeper.testbed.Kubemark;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Real kubelet code, NodeRestriction on")
final class KubeletIT {
  private static final String ROOT = "root";
  private final World world = new World();

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  @Test
  @DisplayName(
      "a node with node-role and node-restriction labels registers, is restored and turns Ready")
  void reservedLabels() {
    assumeTrue(ROOT.equals(System.getProperty("user.name")), "kubelet code needs root");
    Running keeper = world.keeper();
    try (Kubemark kubelet = Kubemark.start(world.plane, "real", Map.of("pool", "gpu"))) {
      kubelet.awaitReady();
      world.label("real", "node-role.kubernetes.io/gpu", "");
      world.label("real", "example.node-restriction.kubernetes.io/tenant", "vision");
      world.taint("real", "dedicated=vision:NoSchedule");
      world.awaitRecordLabel("real", "example.node-restriction.kubernetes.io/tenant", "vision");
      world.settle(keeper);
      String before = world.node("real").path("metadata").path("uid").asText();
      world.vanish("real");
      kubelet.restart();
      world.awaitLabel("real", "example.node-restriction.kubernetes.io/tenant", "vision");
      kubelet.awaitReady();
      assertThat(world.node("real").path("metadata").path("uid").asText()).isNotEqualTo(before);
      assertThat(world.labels("real"))
          .containsEntry("node-role.kubernetes.io/gpu", "")
          .containsEntry("pool", "gpu");
      assertThat(world.taints("real")).contains("dedicated=vision:NoSchedule");
      // A kubelet that restarts beside our labels is not disturbed by them.
      kubelet.restart();
      kubelet.awaitReady();
      assertThat(world.labels("real")).containsEntry("node-role.kubernetes.io/gpu", "");
    }
  }
}
