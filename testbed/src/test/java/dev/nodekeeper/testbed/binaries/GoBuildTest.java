package dev.nodekeeper.testbed.binaries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A build makes a throw-away module and one program after the other")
class GoBuildTest {

  private static final String PUBLISHED =
      """
      module k8s.io/kubernetes

      go 1.26.0

      require github.com/x/y v1.0.0
      replace (
      	k8s.io/api => ./staging/src/k8s.io/api
      	k8s.io/cri-api => ./staging/src/k8s.io/cri-api
      )
      """;

  @TempDir Path folder;
  private final List<List<String>> commands = new ArrayList<>();
  private final List<Map<String, String>> environments = new ArrayList<>();
  private final List<String> progress = new CopyOnWriteArrayList<>();
  private Path target = Path.of("");
  private Path scratch = Path.of("");
  private Map<String, String> environment = Map.of();

  @BeforeEach
  void fakeGo() throws Exception {
    target = Files.createDirectory(folder.resolve("target"));
    scratch = Files.createDirectory(folder.resolve("scratch"));
    Files.writeString(folder.resolve("published.mod"), PUBLISHED);
    var go = Files.writeString(folder.resolve("go"), "");
    assertThat(go.toFile().setExecutable(true)).isTrue();
    environment = Map.of("PATH", folder.toString(), "GOTOOLCHAIN", "local");
  }

  @Test
  @DisplayName("each staging module is replaced by its published self")
  void stagingModules() {
    assertThat(GoBuild.throwAwayModule(GoModule.KUBERNETES, PUBLISHED.lines().toList()))
        .containsExactly(
            "module nodekeeper.dev/throwaway",
            "go 1.26.0",
            "require k8s.io/kubernetes v1.36.3",
            "replace k8s.io/api => k8s.io/api v0.36.3",
            "replace k8s.io/cri-api => k8s.io/cri-api v0.36.3");
  }

  @Test
  @DisplayName("only the wanted programs are built, with the version stamped in")
  void build() throws Exception {
    new GoBuild(environment, this::run)
        .fetch(Set.of(Tool.KUBE_APISERVER), scratch, target, progress::add);
    assertThat(commands).hasSize(2);
    assertThat(commands.getFirst()).contains("download", "k8s.io/kubernetes@v1.36.3");
    assertThat(commands.getLast())
        .contains("-trimpath", "k8s.io/kubernetes/cmd/kube-apiserver")
        .contains(target.resolve("kube-apiserver").toString())
        .anyMatch(flag -> flag.contains("version.gitVersion=v1.36.3"));
    assertThat(environments.getLast())
        .containsEntry("GOFLAGS", "-mod=mod -buildvcs=false")
        .containsEntry("CGO_ENABLED", "0")
        .containsEntry("GOTOOLCHAIN", "local");
    assertThat(progress)
        .contains("building kube-apiserver 1.36.3 from source (about 4 minutes, once) ...");
  }

  @Test
  @DisplayName("without Go the reason is that, and nothing is run")
  void noGo() {
    assertThatThrownBy(
            () ->
                new GoBuild(Map.of("PATH", ""), this::run)
                    .fetch(Set.of(Tool.ETCD), scratch, target, progress::add))
        .hasMessage("there is no go on the PATH");
    assertThat(commands).isEmpty();
  }

  @Test
  @DisplayName("a failing build shows what the compiler said last")
  void failure() {
    var build =
        new GoBuild(environment, (_, _, _) -> new Outcome(1, "first\nno such host: proxy\n"));
    assertThatThrownBy(() -> build.fetch(Set.of(Tool.ETCD), scratch, target, progress::add))
        .hasMessageContaining("no such host: proxy");
  }

  private Outcome run(List<String> command, Path where, Map<String, String> with) {
    commands.add(command);
    environments.add(with);
    return new Outcome(
        0, "go: downloading\n{\"GoMod\": \"" + folder.resolve("published.mod") + "\"}");
  }
}
