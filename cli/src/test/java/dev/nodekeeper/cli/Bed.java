package dev.nodekeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.Nodekeeper;
import dev.nodekeeper.config.LogFormat;
import dev.nodekeeper.config.LogLevel;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.telemetry.Logging;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Fleet;
import dev.nodekeeper.testbed.Kube;
import dev.nodekeeper.testbed.Machine;
import dev.nodekeeper.testbed.Patch;
import dev.nodekeeper.testbed.SharedControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A namespace on the shared control plane, and words for what people type and machines do. */
final class Bed implements AutoCloseable {
  static final Duration HANG = Duration.ofSeconds(90);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  static {
    Logging.configure(LogLevel.ERROR, LogFormat.TEXT);
  }

  final ControlPlane plane;
  final Kube admin;
  final Fleet fleet;
  final String namespace = "use-" + NUMBER.incrementAndGet();
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  Bed() {
    this(SharedControlPlane.get());
  }

  Bed(ControlPlane plane) {
    this.plane = plane;
    this.admin = plane.admin().withTimeout(HANG);
    this.fleet = Fleet.of(plane);
    admin.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + namespace + "\"}}").expect();
  }

  // ---- people at a terminal

  Typed type(String... arguments) {
    return typeAs(plane.adminKubeconfig(), arguments);
  }

  Typed typeAs(Path kubeconfig, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add(1, "--kubeconfig=" + kubeconfig);
    all.add(2, "--namespace=" + namespace);
    return Typed.plainly(all.toArray(String[]::new));
  }

  // ---- we

  /** The controller, under the administrator's rights: rights are tested elsewhere. */
  Nodekeeper keeper(String... flags) throws Exception {
    Map<String, List<String>> all = new HashMap<>();
    List<String> given = new ArrayList<>(List.of(flags));
    given.addAll(
        List.of(
            "--kubeconfig=" + plane.adminKubeconfig(),
            "--namespace=" + namespace,
            "--http-port=0"));
    if (given.stream().noneMatch(flag -> flag.startsWith("--console="))) {
      given.add("--console=off");
    }
    for (String flag : given) {
      int is = flag.indexOf('=');
      all.put(flag.substring(0, is), List.of(flag.substring(is + 1)));
    }
    Nodekeeper keeper = Nodekeeper.start(Settings.parse(all, Map.of()));
    open.push(keeper);
    assertThat(keeper.awaitReady(HANG)).isTrue();
    return keeper;
  }

  // ---- machines and people at kubectl

  void register(String name) {
    fleet.register(List.of(Machine.named(name)));
  }

  void merge(String name, String patch) {
    admin
        .patch("/api/v1/nodes/" + name + "?fieldManager=kubectl-label", Patch.MERGE, patch)
        .expect();
  }

  void label(String name, String key, String value) {
    merge(name, "{\"metadata\":{\"labels\":{\"%s\":\"%s\"}}}".formatted(key, value));
  }

  void annotate(String name, String key, String value) {
    merge(name, "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}".formatted(key, value));
  }

  void delete(String name) {
    admin.delete("/api/v1/nodes/" + name).expect();
  }

  JsonNode node(String name) {
    return admin.get("/api/v1/nodes/" + name).body();
  }

  String records() {
    return "/api/v1/namespaces/" + namespace + "/configmaps";
  }

  JsonNode record(String name) {
    return admin.get(records() + "/" + name).body();
  }

  void awaitRecord(String name, String text) {
    await("record of " + name + " with " + text)
        .atMost(HANG)
        .until(() -> record(name).at("/data/record.json").asText().contains(text));
  }

  void awaitLabel(String name, String key, String value) {
    await(name + " has " + key)
        .atMost(HANG)
        .until(() -> node(name).path("metadata").path("labels").path(key).asText().equals(value));
  }

  // ---- what came out

  /** Compares with a file; times, uids and sizes are nobody's promise. */
  static void golden(String name, String out) throws IOException {
    String plain =
        out.replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "UID")
            .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
            .replaceAll("\\b\\d+[smhd]\\b", "AGE")
            .replaceAll("use-\\d+", "NAMESPACE")
            .replaceAll("\\b\\d{3,6}(?=\\s|$)", "SIZE")
            .replaceAll("(?<=\\S) {2,}", "  ");
    Path file = Path.of("src", "test", "resources", "golden", name + ".txt");
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(file, plain);
    }
    assertThat(plain).as("run with -Dgolden.update=true").isEqualTo(Files.readString(file));
  }

  /** All that runs. */
  void stop() throws Exception {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }

  @Override
  public void close() throws Exception {
    stop();
    admin.delete("/api/v1/nodes");
    admin.delete("/api/v1/namespaces/" + namespace);
  }
}
