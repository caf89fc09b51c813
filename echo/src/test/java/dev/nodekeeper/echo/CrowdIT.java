package dev.nodekeeper.echo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.testbed.AuditLog.Mark;
import dev.nodekeeper.testbed.AuditLog.Request;
import dev.nodekeeper.testbed.fault.Match;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Many Echos at once")
final class CrowdIT {
  private static final int CROWD = Integer.getInteger("echo.crowd", 100);
  private static final Duration HANG = Duration.ofMinutes(15);

  @Test
  @DisplayName("created, changed, deleted: all converge, and then nobody writes anything")
  void crowd() throws Exception {
    try (var world = new World()) {
      var proxy = world.proxy();
      world.operator(proxy);

      phase(
          world,
          "created",
          n -> world.create("e" + n, "{\"text\": \"t\", \"replicas\": 1}").expect());
      awaitSettled(world, "-text=t");

      var idle = proxy.count(Match.writes());
      // Longer than anything that the operator does by the clock.
      Thread.sleep(Duration.ofSeconds(16));
      assertThat(proxy.journal(Match.writes())).as("idle").hasSize(idle);

      phase(world, "changed", n -> world.change("e" + n, "{\"text\": \"u\"}").expect());
      awaitSettled(world, "-text=u");

      phase(world, "deleted", n -> world.admin().delete(world.echo("e" + n)).expect());
      Awaitility.await()
          .atMost(HANG)
          .pollInterval(Duration.ofSeconds(1))
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(world.admin().list(world.echoes())).isEmpty());
      for (var children :
          List.of(
              "/apis/apps/v1/namespaces/" + world.namespace + "/deployments",
              "/api/v1/namespaces/" + world.namespace + "/services")) {
        assertThat(world.admin().list(children)).isEmpty();
      }
      tell(world);
    }
  }

  private Mark mark = new Mark(0);
  private String phase = "";

  private void phase(World world, String name, IntConsumer each) {
    tell(world);
    phase = name;
    mark = world.plane().audit().mark();
    try (var threads = Executors.newFixedThreadPool(16)) {
      IntStream.range(0, CROWD).forEach(n -> threads.submit(() -> each.accept(n)));
    }
  }

  private void tell(World world) {
    if (!phase.isEmpty()) {
      Map<String, Double> each =
          world.plane().audit().since(mark).requests(World.ACCOUNT).stream()
              .filter(request -> !request.verb().equals("watch"))
              .collect(
                  Collectors.groupingBy(
                      CrowdIT::title, TreeMap::new, Collectors.summingDouble(_ -> 1.0 / CROWD)));
      System.out.printf("%d Echos %s, requests of each:%n", CROWD, phase);
      each.forEach((what, number) -> System.out.printf("  %-28s %.2f%n", what, number));
    }
  }

  private static String title(Request request) {
    return request.what() + (request.code() < 400 ? "" : " " + request.code());
  }

  private static void awaitSettled(World world, String text) {
    Awaitility.await()
        .atMost(HANG)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              var echoes = world.admin().list(world.echoes());
              assertThat(echoes).hasSize(CROWD);
              assertThat(echoes)
                  .allMatch(
                      echo ->
                          echo.at("/status/observedGeneration").asLong()
                                  == echo.at("/metadata/generation").asLong()
                              && echo.at("/status/conditions/1/reason").asText().equals("Settled"));
              assertThat(
                      world
                          .admin()
                          .list("/apis/apps/v1/namespaces/" + world.namespace + "/deployments"))
                  .hasSize(CROWD)
                  .allMatch(
                      child ->
                          child
                              .at("/spec/template/spec/containers/0/args/0")
                              .asText()
                              .equals(text));
            });
  }
}
