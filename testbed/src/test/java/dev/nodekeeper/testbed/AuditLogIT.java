package dev.nodekeeper.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The audit log knows every request of a user the moment the user has its answer")
class AuditLogIT {

  private final ControlPlane plane = SharedControlPlane.get();

  @Test
  @DisplayName("counts are exact, round after round, also for answers of many kilobytes")
  void exact() {
    var fleet = Fleet.of(plane);
    var machines = Fleet.machines("audit", 100);
    fleet.register(machines);
    var user = plane.as("audit-exact", "system:masters");
    for (int round = 1; round <= 20; round++) {
      var mark = plane.audit().mark();
      for (int i = 0; i < round; i++) {
        user.get("/api/v1/nodes").expect();
      }
      user.get("/api/v1/nodes/absent").expect(404);
      var log = plane.audit().since(mark);
      assertThat(log.tally("audit-exact"))
          .containsOnly(Map.entry("list nodes", (long) round), Map.entry("get nodes", 1L));
      assertThat(log.count("audit-exact", request -> request.code() == 404)).isEqualTo(1);
    }
    fleet.vanish(machines);
  }

  @Test
  @DisplayName("a request is described by verb, resource, name and code")
  void facts() {
    var user = plane.as("audit-facts");
    user.get("/api/v1/namespaces/default/configmaps/x").expect(403);
    assertThat(plane.audit().requests("audit-facts"))
        .singleElement()
        .satisfies(
            request -> {
              assertThat(request.what()).isEqualTo("get configmaps");
              assertThat(request.namespace()).isEqualTo("default");
              assertThat(request.name()).isEqualTo("x");
              assertThat(request.code()).isEqualTo(403);
              assertThat(request.uri()).isEqualTo("/api/v1/namespaces/default/configmaps/x");
              assertThat(request.stage()).isEqualTo("ResponseComplete");
            });
  }

  @Test
  @DisplayName("an open watch counts once, and still once when it has ended")
  void watch() {
    var events = new AtomicInteger();
    var user = plane.as("audit-watch", "system:masters");
    try (var watch = user.watch("/api/v1/namespaces", _ -> events.incrementAndGet())) {
      assertThat(watch.open()).isTrue();
      await().until(() -> events.get() > 0);
      assertThat(plane.audit().tally("audit-watch"))
          .containsOnly(Map.entry("watch namespaces", 1L));
    }
    await()
        .until(
            () ->
                plane
                    .audit()
                    .requests("audit-watch")
                    .getFirst()
                    .stage()
                    .equals("ResponseComplete"));
    assertThat(plane.audit().count("audit-watch")).isEqualTo(1);
  }
}
