package dev.nodekeeper.testbed.binaries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Binaries come from the assets folder, then the cache, then the sources in order")
class BinariesTest {

  @TempDir Path home;
  private Path assets = Path.of("");
  private Path cached = Path.of("");

  @BeforeEach
  void folders() throws IOException {
    assets = Files.createDirectory(home.resolve("assets"));
    cached =
        Files.createDirectories(home.resolve(".cache/nodekeeper/control-plane/1.36.3-linux-amd64"));
  }

  @Test
  @DisplayName("the assets folder wins over the cache")
  void assetsFirst() throws IOException {
    program(assets, Tool.ETCD);
    program(cached, Tool.ETCD);
    assertThat(binaries(true).path(Tool.ETCD)).isEqualTo(assets.resolve("etcd"));
  }

  @Test
  @DisplayName("what the assets folder lacks comes from the cache, without asking a source")
  void cacheSecond() throws IOException {
    program(assets, Tool.ETCD);
    program(cached, Tool.KUBECTL);
    var source = new FakeSource("never asked", EnumSet.allOf(Tool.class));
    var found = binaries(true, source).resolve(List.of(Tool.ETCD, Tool.KUBECTL));
    assertThat(found)
        .containsEntry(Tool.ETCD, assets.resolve("etcd"))
        .containsEntry(Tool.KUBECTL, cached.resolve("kubectl"));
    assertThat(source.asked).isEmpty();
  }

  @Test
  @DisplayName("XDG_CACHE_HOME moves the cache")
  void xdg() throws IOException {
    var xdg = home.resolve("xdg");
    program(
        Files.createDirectories(xdg.resolve("nodekeeper/control-plane/1.36.3-linux-amd64")),
        Tool.ETCD);
    var binaries =
        new Binaries(
            Map.of("XDG_CACHE_HOME", xdg.toString()),
            home,
            new Platform("linux", "amd64"),
            List.of(),
            _ -> {});
    assertThat(binaries.path(Tool.ETCD)).startsWith(xdg);
  }

  @Test
  @DisplayName(
      "a source is asked only for what is missing and what it offers; the next for the rest")
  void sourcesInOrder() throws IOException {
    program(assets, Tool.KUBECTL);
    var first = new FakeSource("first", EnumSet.of(Tool.ETCD, Tool.KUBECTL));
    var second = new FakeSource("second", EnumSet.allOf(Tool.class));
    var found =
        binaries(true, first, second).resolve(List.of(Tool.ETCD, Tool.KUBECTL, Tool.KUBEMARK));
    assertThat(first.asked).containsExactly(Set.of(Tool.ETCD));
    assertThat(second.asked).containsExactly(Set.of(Tool.KUBEMARK));
    assertThat(found.get(Tool.KUBEMARK)).isEqualTo(cached.resolve("kubemark")).isExecutable();
  }

  @Test
  @DisplayName("what a source finished before it failed is kept")
  void keepsPartialSuccess() {
    var failing = new FakeSource("half", EnumSet.allOf(Tool.class));
    failing.failsAt = Tool.KUBEMARK;
    assertThatThrownBy(() -> binaries(false, failing).resolve(List.of(Tool.ETCD, Tool.KUBEMARK)))
        .isInstanceOf(MissingBinariesException.class)
        .hasMessageContaining("cannot find or make kubemark.");
    assertThat(cached.resolve("etcd")).isExecutable();
  }

  @Test
  @DisplayName("when nothing works the message lists every attempt, its reason, and the way out")
  void message() {
    var archive = new FakeSource("the archive", EnumSet.of(Tool.ETCD));
    archive.failsAt = Tool.ETCD;
    var build = new FakeSource("the build", EnumSet.allOf(Tool.class));
    build.failsAt = Tool.ETCD;
    assertThatThrownBy(() -> binaries(true, archive, build).path(Tool.ETCD))
        .hasMessageContainingAll(
            "etcd",
            "KUBEBUILDER_ASSETS: not in " + assets,
            "cache: not in " + cached,
            "the archive: cannot do etcd",
            "the build: cannot do etcd",
            "install Go",
            "set KUBEBUILDER_ASSETS");
  }

  @Test
  @DisplayName("nothing but finished programs and the lock stays in the cache")
  void noScratchLeft() throws IOException {
    var deadRun = Files.createDirectories(cached.resolve(".fetch-dead/k8s"));
    Files.writeString(deadRun.resolve("go.mod"), "module dead");
    binaries(false, new FakeSource("one", EnumSet.allOf(Tool.class))).path(Tool.ETCD);
    try (var left = Files.list(cached)) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("etcd", ".lock");
    }
  }

  private Binaries binaries(boolean withAssets, Source... sources) {
    Map<String, String> environment =
        withAssets ? Map.of(Binaries.ASSETS, assets.toString()) : Map.of();
    var platform = new Platform("linux", "amd64");
    return new Binaries(environment, home, platform, List.of(sources), _ -> {});
  }

  private static void program(Path folder, Tool tool) throws IOException {
    var file = Files.writeString(folder.resolve(tool.fileName()), "#!/bin/sh\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  /** Writes empty programs, up to the one it fails at. */
  private static final class FakeSource implements Source {
    private final String name;
    private final Set<Tool> offers;
    private final List<Set<Tool>> asked = new ArrayList<>();
    private Tool failsAt = Tool.KUBE_SCHEDULER;

    FakeSource(String name, Set<Tool> offers) {
      this.name = name;
      this.offers = offers;
    }

    @Override
    public String description() {
      return name;
    }

    @Override
    public Set<Tool> offers() {
      return offers;
    }

    @Override
    public void fetch(Set<Tool> wanted, Path scratch, Path target, Consumer<String> progress)
        throws IOException {
      asked.add(Set.copyOf(wanted));
      for (var tool : wanted) {
        if (tool == failsAt) {
          throw new IOException("cannot do " + tool.fileName());
        }
        Files.writeString(target.resolve(tool.fileName()), "");
      }
    }
  }
}
