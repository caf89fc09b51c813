package dev.nodekeeper.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.testbed.AuditLog;
import dev.nodekeeper.testbed.KubeletStandIn;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What it costs, counted in the API server's audit log")
final class RequestsIT {
  private final World world = new World();
  private final Running keeper = world.keeper();

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  private void quiet() {
    await("quiet").atMost(World.HANG).until(keeper::idle);
  }

  @Test
  @DisplayName(
      "a label change = 1 write and 0 reads; a deletion = 0; a return = 1 node patch and 1 event")
  void oneLife() {
    world.register("n1");
    world.settle(keeper);
    var start = world.mark();
    world.label("n1", "team", "a");
    world.awaitRecordLabel("n1", "team", "a");
    quiet();
    assertThat(world.requestsSince(start)).isEqualTo(Map.of("create configmaps", 1L));

    var change = world.mark();
    world.label("n1", "team", "b");
    world.awaitRecordLabel("n1", "team", "b");
    quiet();
    assertThat(world.requestsSince(change)).isEqualTo(Map.of("update configmaps", 1L));

    var delete = world.mark();
    world.vanish("n1");
    quiet();
    assertThat(world.requestsSince(delete)).isEmpty();

    var back = world.mark();
    world.register("n1");
    world.awaitLabel("n1", "team", "b");
    quiet();
    assertThat(world.requestsSince(back)).isEqualTo(Map.of("patch nodes", 1L));
    await("the event").atMost(World.HANG).until(() -> events(back) > 0);
    assertThat(events(start)).isEqualTo(1);
  }

  private long events(AuditLog.Mark mark) {
    return world.roles().stream()
        .mapToLong(
            role ->
                world
                    .plane
                    .audit()
                    .since(mark)
                    .count(world.user(role), r -> r.resource().equals("events")))
        .sum();
  }

  @Test
  @DisplayName("several changes that settle together = 1 write")
  void burst() {
    world.register("n1");
    world.label("n1", "a", "0");
    world.awaitRecordLabel("n1", "a", "0");
    quiet();
    var start = world.mark();
    for (int i = 1; i <= 4; i++) {
      world.label("n1", "a", "" + i);
    }
    world.awaitRecordLabel("n1", "a", "4");
    quiet();
    assertThat(world.requestsSince(start).getOrDefault("update configmaps", 0L)).isBetween(1L, 2L);
  }

  @Test
  @DisplayName("a heartbeat = 0; a node with nothing to keep = 0 in its whole life")
  void heartbeats() {
    KubeletStandIn bare = KubeletStandIn.of(world.plane, "bare");
    world.register("n1");
    world.label("n1", "team", "a");
    world.awaitRecordLabel("n1", "team", "a");
    KubeletStandIn labelled = KubeletStandIn.of(world.plane, "n1");
    quiet();
    var start = world.mark();
    bare.register();
    for (int i = 0; i < 20; i++) {
      bare.heartbeat().expect();
      labelled.heartbeat().expect();
    }
    bare.vanish();
    bare.comeBack();
    bare.vanish();
    quiet();
    assertThat(world.requestsSince(start)).isEmpty();
  }

  @Test
  @DisplayName("60 s of idling = 0 writes")
  void idle() {
    world.register("n1");
    world.label("n1", "team", "a");
    world.awaitRecordLabel("n1", "team", "a");
    world.vanish("n1");
    world.register("n1");
    world.awaitLabel("n1", "team", "a");
    quiet();
    var start = world.mark();
    await("a minute without a request")
        .pollInterval(Duration.ofSeconds(5))
        .during(Duration.ofSeconds(60))
        .atMost(Duration.ofSeconds(90))
        .until(() -> world.requestsSince(start).isEmpty());
  }

  @Test
  @DisplayName("our own restart = the two lists, and no write where all is in step")
  void restart() {
    world.register("n1");
    world.label("n1", "team", "a");
    world.awaitRecordLabel("n1", "team", "a");
    world.vanish("n1");
    world.register("n1");
    world.awaitLabel("n1", "team", "a");
    quiet();
    world.stop(keeper);
    var start = world.mark();
    Running again = world.keeper();
    await().atMost(World.HANG).until(again::idle);
    assertThat(world.requestsSince(start).keySet())
        .allMatch(what -> what.startsWith("list ") || what.startsWith("get namespaces"));
  }
}
