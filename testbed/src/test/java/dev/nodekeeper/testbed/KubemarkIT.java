package dev.nodekeeper.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A real kubelet lives with labels it may not set itself")
class KubemarkIT {

  private static final String ROLE = "node-role.kubernetes.io/gpu";
  private static final String RESERVED = "example.node-restriction.kubernetes.io/x";
  private static final String RESTORE =
      "{\"metadata\":{\"labels\":{\"%s\":\"\",\"%s\":\"y\"}}}".formatted(ROLE, RESERVED);

  @Test
  @DisplayName("it stays Ready with restored labels, and again after its Node was deleted")
  void restoredLabels() throws Exception {
    Assumptions.assumeTrue(
        Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "kubelet code needs root");
    try (var plane = ControlPlane.start(Options.defaults().with(Part.CONTROLLER_MANAGER));
        var kubelet = Kubemark.start(plane, "real", Map.of("team", "blue"))) {
      var path = "/api/v1/nodes/real";
      var first = kubelet.awaitReady();
      assertThat(label(first, "team")).isEqualTo("blue");
      var firstRestore = restore(plane, path);
      assertGoesOnReporting(plane, kubelet, firstRestore);

      plane.admin().delete(path).expect();
      kubelet.restart();
      await().atMost(Duration.ofSeconds(30)).until(() -> plane.admin().get(path).ok());
      // At once, before it is Ready: the moment at which a restore comes.
      var secondRestore = restore(plane, path);
      var second = kubelet.awaitReady();
      assertThat(second.uid()).isNotEqualTo(first.uid());
      assertGoesOnReporting(plane, kubelet, secondRestore);
      assertThat(plane.audit().since(secondRestore).tally("system:node:real"))
          .containsKey("patch nodes/status");

      var last = plane.admin().get(path);
      assertThat(last.uid()).isEqualTo(second.uid());
      assertThat(last.body().at("/metadata/labels").has(ROLE)).isTrue();
      assertThat(label(last, RESERVED)).isEqualTo("y");
    }
  }

  private static AuditLog.Mark restore(ControlPlane plane, String path) {
    plane.admin().patch(path, Patch.MERGE, RESTORE).expect();
    return plane.audit().mark();
  }

  /** Its lease is renewed, nothing it says about its Node is refused, and it is Ready. */
  private static void assertGoesOnReporting(
      ControlPlane plane, Kubemark kubelet, AuditLog.Mark since) {
    var user = "system:node:" + kubelet.name();
    var log = plane.audit().since(since);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> log.tally(user).containsKey("update leases"));
    assertThat(log.requests(user))
        .filteredOn(request -> request.resource().equals("nodes") || request.code() == 403)
        .allMatch(request -> request.code() < 400);
    assertThat(kubelet.running()).isTrue();
    kubelet.awaitReady();
  }

  private static String label(Reply node, String key) {
    return node.body().path("metadata").path("labels").path(key).asText();
  }
}
