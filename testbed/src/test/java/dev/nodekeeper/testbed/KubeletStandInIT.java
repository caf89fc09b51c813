package dev.nodekeeper.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A stand-in is to the API server what a kubelet is")
class KubeletStandInIT {

  private final ControlPlane plane = SharedControlPlane.get();

  @Test
  @DisplayName("it registers with its facts, labels and taints")
  void registers() {
    var standIn = KubeletStandIn.of(plane, "stand-in-registers");
    var node = standIn.register(Map.of("team", "blue"), List.of(Taint.noSchedule("dedicated")));
    assertThat(node.at("/metadata/labels/team").asText()).isEqualTo("blue");
    assertThat(node.at("/metadata/labels/kubernetes.io~1hostname").asText())
        .isEqualTo("stand-in-registers");
    assertThat(node.at("/status/nodeInfo/systemUUID").asText())
        .isEqualTo(Machine.named("stand-in-registers").systemUuid());
    assertThat(node.at("/spec/taints").findValuesAsText("key")).contains("dedicated");
  }

  @Test
  @DisplayName("it may not give itself a role: neither when registering nor later")
  void noRole() {
    var role = "node-role.kubernetes.io/gpu";
    var greedy = Machine.named("stand-in-greedy").withLabel(role, "");
    assertThat(KubeletStandIn.of(plane, greedy).tryRegister().code()).isEqualTo(403);

    var standIn = KubeletStandIn.of(plane, "stand-in-greedy");
    standIn.register();
    var patch = "{\"metadata\":{\"labels\":{\"" + role + "\":\"\"}}}";
    var path = "/api/v1/nodes/stand-in-greedy";
    assertThat(standIn.client().patch(path, Patch.MERGE, patch).code()).isEqualTo(403);
    assertThat(plane.admin().patch(path, Patch.MERGE, patch).code()).isEqualTo(200);
  }

  @Test
  @DisplayName("it may not touch another machine")
  void onlyItself() {
    KubeletStandIn.of(plane, "stand-in-other").register();
    var standIn = KubeletStandIn.of(plane, "stand-in-curious");
    var reply =
        standIn
            .client()
            .patch(
                "/api/v1/nodes/stand-in-other/status",
                Patch.MERGE,
                "{\"status\":{\"phase\":\"\"}}");
    assertThat(reply.code()).isEqualTo(403);
  }

  @Test
  @DisplayName("its heartbeat is accepted while the Node is there, and does not bring it back")
  void heartbeat() {
    var standIn = KubeletStandIn.of(plane, "stand-in-beats");
    standIn.register();
    assertThat(standIn.heartbeat().code()).isEqualTo(200);
    standIn.vanish();
    assertThat(standIn.heartbeat().code()).isEqualTo(404);
    assertThat(plane.admin().get("/api/v1/nodes/stand-in-beats").code()).isEqualTo(404);
  }

  @Test
  @DisplayName("the machine that comes back is the same one, its Node is a new one")
  void comesBack() {
    var standIn = KubeletStandIn.of(plane, "stand-in-returns");
    var before = standIn.register();
    standIn.vanish();
    var after = standIn.comeBack();
    assertThat(after.at("/metadata/uid")).isNotEqualTo(before.at("/metadata/uid"));
    assertThat(after.at("/status/nodeInfo/machineID"))
        .isEqualTo(before.at("/status/nodeInfo/machineID"));
  }

  @Test
  @DisplayName("a kubelet that finds its Node leaves the labels of others alone")
  void takesOver() {
    var standIn = KubeletStandIn.of(plane, "stand-in-restarts");
    var uid = standIn.register().at("/metadata/uid");
    plane
        .admin()
        .patch(
            "/api/v1/nodes/stand-in-restarts",
            Patch.MERGE,
            "{\"metadata\":{\"labels\":{\"by\":\"hand\"}}}")
        .expect();
    var again = standIn.register(Map.of("zone", "b"), List.of());
    assertThat(again.at("/metadata/uid")).isEqualTo(uid);
    assertThat(again.at("/metadata/labels/by").asText()).isEqualTo("hand");
    assertThat(again.at("/metadata/labels/zone").asText()).isEqualTo("b");
  }

  @Test
  @DisplayName("a fleet registers, reports and vanishes as a whole, as kubelets")
  void fleet() {
    var fleet = Fleet.of(plane);
    var machines =
        Fleet.machines("fleet", 200).stream().map(m -> m.withLabel("fleet", "yes")).toList();
    fleet.register(machines);
    fleet.heartbeat(machines);
    assertThat(plane.admin().list("/api/v1/nodes?labelSelector=fleet")).hasSize(200);
    fleet.vanish(machines);
    assertThat(plane.admin().list("/api/v1/nodes?labelSelector=fleet")).isEmpty();
  }
}
