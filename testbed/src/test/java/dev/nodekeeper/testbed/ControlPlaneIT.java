package dev.nodekeeper.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.testbed.binaries.OtherJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A control plane starts, survives the loss of its parts, and leaves nothing behind")
class ControlPlaneIT {

  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  @TempDir Path folder;

  @Test
  @DisplayName("every part can be killed or stopped and started again without losing data")
  void partsComeAndGo() {
    try (var plane = ControlPlane.start(Options.defaults().with(Part.CONTROLLER_MANAGER))) {
      var server = plane.server();
      keep(plane, "kept");
      plane.restart(Part.ETCD);
      await().ignoreExceptions().until(() -> kept(plane, "kept"));
      plane.restart(Part.APISERVER);
      assertThat(kept(plane, "kept")).isTrue();
      plane.stop(Part.APISERVER);
      assertThat(plane.running(Part.APISERVER)).isFalse();
      plane.stop(Part.ETCD);
      plane.start(Part.ETCD);
      plane.start(Part.APISERVER);
      assertThat(kept(plane, "kept")).isTrue();
      assertThat(plane.server()).isEqualTo(server);
      plane.restart(Part.CONTROLLER_MANAGER);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> plane.admin().get(CONFIG_MAPS + "/kube-root-ca.crt").ok());
    }
  }

  @Test
  @DisplayName("a paused API server answers nobody, and goes on when resumed")
  void pause() {
    var plane = SharedControlPlane.get();
    plane.pause(Part.APISERVER);
    try {
      var hasty = plane.admin().withTimeout(Duration.ofMillis(300));
      assertThatThrownBy(() -> hasty.get("/version"))
          .isInstanceOf(KubeException.class)
          .hasMessageContaining("no answer");
    } finally {
      plane.resume(Part.APISERVER);
    }
    assertThat(plane.admin().get("/version").expect().path("gitVersion").asText())
        .isEqualTo("v1.36.3");
  }

  @Test
  @DisplayName("close ends all processes and removes the temporary folder")
  void noLeftovers() {
    var plane = ControlPlane.start(Options.defaults());
    var pids = Stream.of(Part.ETCD, Part.APISERVER).map(plane::pid).toList();
    assertThat(pids).allMatch(ControlPlaneIT::alive);
    plane.close();
    assertThat(pids).noneMatch(ControlPlaneIT::alive);
    assertThat(plane.folder()).doesNotExist();
    await().until(() -> processesThatName(plane.folder()).isEmpty());
  }

  @Test
  @DisplayName("a given folder is kept, and a durable control plane goes on from it")
  void sameFolder() {
    var options = Options.defaults().in(folder).durable();
    try (var plane = ControlPlane.start(options)) {
      keep(plane, "kept");
      assertThatThrownBy(() -> ControlPlane.start(options)).hasMessageContaining("already runs");
    }
    try (var plane = ControlPlane.start(options)) {
      assertThat(kept(plane, "kept")).isTrue();
    }
    await().until(() -> processesThatName(folder).isEmpty());
  }

  @Test
  @DisplayName("a detached control plane outlives its JVM, and another process closes it")
  void detached() throws Exception {
    try (var jvm = new OtherJvm(Detacher.class, folder.toString())) {
      assertThat(jvm.awaitEnd()).isZero();
    }
    try (var plane = ControlPlane.attach(folder)) {
      assertThat(plane.admin().get("/readyz").ok()).isTrue();
      plane.restart(Part.APISERVER);
      assertThat(plane.admin().get("/readyz").ok()).isTrue();
    }
    await().until(() -> processesThatName(folder).isEmpty());
    assertThatThrownBy(() -> ControlPlane.attach(folder))
        .hasMessageContaining("no control plane runs");
  }

  @Test
  @DisplayName("a part that does not start shows the end of its log, and nothing stays")
  void failedStart() {
    var options = Options.defaults().in(folder).apiServerFlag("--no-such-flag");
    assertThatThrownBy(() -> ControlPlane.start(options))
        .isInstanceOf(StartFailedException.class)
        .hasMessageContainingAll("kube-apiserver", "unknown flag: --no-such-flag");
    await().until(() -> processesThatName(folder).isEmpty());
  }

  @Test
  @DisplayName("a user has no rights until somebody binds them, and works from its kubeconfig")
  void users() throws Exception {
    var plane = SharedControlPlane.get();
    assertThat(plane.as("nobody-special").get("/api/v1/nodes").code()).isEqualTo(403);
    assertThat(Files.readString(plane.kubeconfig("nobody-special")))
        .contains(plane.server().toString(), "client-key-data");
    assertThat(plane.as("somebody", "system:masters").get("/api/v1/nodes").ok()).isTrue();
  }

  @Test
  @DisplayName("a watch hands over events until it is closed")
  void watch() {
    var plane = SharedControlPlane.get();
    var seen = new CopyOnWriteArrayList<String>();
    var watch =
        plane
            .admin()
            .watch(
                CONFIG_MAPS,
                event -> seen.add(event.path("object").path("metadata").path("name").asText()));
    try (watch) {
      keep(plane, "watched");
      await().until(() -> seen.contains("watched"));
    }
    await().until(() -> !watch.open());
  }

  private static void keep(ControlPlane plane, String name) {
    plane
        .admin()
        .create(CONFIG_MAPS, "{\"metadata\":{\"name\":\"%s\"}}".formatted(name))
        .expect(201);
  }

  private static boolean kept(ControlPlane plane, String name) {
    return plane.admin().get(CONFIG_MAPS + "/" + name).ok();
  }

  private static boolean alive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  /** Watching shells carry the folder in their command line too. */
  private static List<String> processesThatName(Path folder) {
    return ProcessHandle.allProcesses()
        .map(process -> process.info().commandLine().orElse(""))
        .filter(line -> line.contains(folder.toString()))
        .filter(line -> !line.contains("surefire"))
        .toList();
  }

  /** Starts a detached control plane and goes away. */
  static final class Detacher {
    public static void main(String[] arguments) {
      ControlPlane.start(Options.defaults().detached(Path.of(arguments[0])));
    }
  }
}
