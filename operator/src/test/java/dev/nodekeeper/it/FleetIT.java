package dev.nodekeeper.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.config.Settings.ClusterSettings;
import dev.nodekeeper.testbed.Fleet;
import dev.nodekeeper.testbed.Machine;
import dev.nodekeeper.testbed.Patch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A whole fleet is deleted and returns")
final class FleetIT {
  private static final int NODES = Integer.getInteger("fleet.nodes", 2000);
  private static final int LABELS = 10;
  private static final int WRITERS = 32;
  private static final Duration LONG = Duration.ofMinutes(5);
  private final World world = new World();

  @AfterEach
  void end() throws Exception {
    world.close();
  }

  @Test
  @DisplayName("all nodes with 10 labels each are restored, figures printed")
  void fleet() throws Exception {
    List<Machine> machines = Fleet.machines("fleet", NODES);
    Process keeper = RunProcess.start(world);
    world.fleet.register(machines);
    var start = world.mark();
    Parallel.each(machines, m -> world.admin.patch(m.path(), Patch.MERGE, labels(m)).expect());
    await("all remembered").atMost(LONG).until(() -> records() == NODES);
    world.fleet.vanish(machines);

    Map<String, Long> created = new ConcurrentHashMap<>();
    Map<String, Long> restored = new ConcurrentHashMap<>();
    long began;
    try (var watch =
        world.admin.watch(
            "/api/v1/nodes",
            event -> {
              String name = event.path("object").path("metadata").path("name").asText();
              created.putIfAbsent(name, System.nanoTime());
              if (complete(event.path("object"))) {
                restored.putIfAbsent(name, System.nanoTime());
              }
            })) {
      began = System.nanoTime();
      world.fleet.register(machines);
      await("all restored").atMost(LONG).until(() -> restored.size() == NODES);
    }
    long tookMillis = (System.nanoTime() - began) / 1_000_000;
    await("nothing else happens").atMost(LONG).until(() -> records() == NODES);
    Map<String, Long> requests = world.requestsSince(start);
    long rss = rss(keeper);
    for (JsonNode node : world.admin.list("/api/v1/nodes")) {
      assertThat(complete(node)).as(node.path("metadata").path("name").asText()).isTrue();
    }

    long creationMillis = registrationsAlone(keeper, machines);
    long plainMillis = plainPatches(machines);
    Map<String, Object> figures = new TreeMap<>();
    figures.put("nodes", NODES);
    figures.put("labels per node", LABELS);
    figures.put("return of the fleet: registration to last restore, ms", tookMillis);
    figures.put("the same registrations without us, ms", creationMillis);
    figures.put("as many plain patches by the same client, ms", plainMillis);
    figures.put("ratio: return / plain patches", round((double) tookMillis / plainMillis));
    figures.put(
        "ratio: return / (registrations + plain patches)",
        round((double) tookMillis / (creationMillis + plainMillis)));
    figures.put("requests", requests);
    figures.put(
        "requests per node life",
        round(requests.values().stream().mapToLong(Long::longValue).sum() / (double) NODES));
    figures.put("creation to restored p50, ms", percentile(created, restored, 0.50));
    figures.put("creation to restored p99, ms", percentile(created, restored, 0.99));
    figures.put("RSS, MiB", rss);
    String text = World.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(figures);
    System.out.println("fleet: " + text);
    String out = System.getProperty("bench.out", "");
    if (!out.isEmpty()) {
      Files.writeString(Path.of(out), text + "\n");
    }
    assertThat(requests).containsEntry("create configmaps", (long) NODES);
    assertThat(requests.get("patch nodes")).isLessThan(2L * NODES);
  }

  private static ObjectNode labels(Machine machine) {
    ObjectNode patch = World.JSON.createObjectNode();
    ObjectNode labels = patch.putObject("metadata").putObject("labels");
    for (int i = 0; i < LABELS; i++) {
      labels.put("fleet.example/label-" + i, machine.name() + "-" + i);
    }
    return patch;
  }

  private static boolean complete(JsonNode node) {
    String name = node.path("metadata").path("name").asText();
    JsonNode labels = node.path("metadata").path("labels");
    for (int i = 0; i < LABELS; i++) {
      if (!labels.path("fleet.example/label-" + i).asText().equals(name + "-" + i)) {
        return false;
      }
    }
    return true;
  }

  private int records() {
    return (int)
        world.admin.list("/api/v1/namespaces/" + world.namespace + "/configmaps").stream()
            .filter(
                map ->
                    map.path("data")
                        .path("record.json")
                        .asText()
                        .contains("fleet.example/label-" + (LABELS - 1)))
            .count();
  }

  /** How long the registrations take by themselves. */
  private long registrationsAlone(Process keeper, List<Machine> machines) throws Exception {
    keeper.destroyForcibly().waitFor();
    world.fleet.vanish(machines);
    long began = System.nanoTime();
    world.fleet.register(machines);
    return (System.nanoTime() - began) / 1_000_000;
  }

  private long plainPatches(List<Machine> machines) throws Exception {
    try (HttpApi api = HttpApi.connect(new ClusterSettings(world.kubeconfig().toString(), ""))) {
      long began = System.nanoTime();
      try (var threads = Executors.newFixedThreadPool(WRITERS, Thread.ofVirtual().factory())) {
        for (Machine machine : machines) {
          threads.submit(
              () ->
                  api.send(
                      Call.patch(
                          machine.path(),
                          "application/merge-patch+json",
                          labels(machine).toString())));
        }
      }
      return (System.nanoTime() - began) / 1_000_000;
    }
  }

  private static long percentile(Map<String, Long> from, Map<String, Long> to, double share) {
    List<Long> all =
        to.entrySet().stream()
            .map(entry -> entry.getValue() - from.get(entry.getKey()))
            .sorted()
            .toList();
    return all.get((int) Math.min(all.size() - 1, all.size() * share)) / 1_000_000;
  }

  private static double round(double value) {
    return Math.round(value * 100) / 100.0;
  }

  private static long rss(Process process) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
        .findFirst()
        .orElse(-1);
  }
}
