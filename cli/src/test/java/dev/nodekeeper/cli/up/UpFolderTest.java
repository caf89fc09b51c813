package dev.nodekeeper.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UpFolderTest {
  @TempDir private Path dir;

  @Test
  @DisplayName("its own variable wins over XDG, which wins over the home")
  void place() {
    assertThat(UpFolder.of(Map.of("NODEKEEPER_UP_DIR", "/a", "XDG_STATE_HOME", "/b")).root())
        .isEqualTo(Path.of("/a"));
    assertThat(UpFolder.of(Map.of("NODEKEEPER_UP_DIR", " ", "XDG_STATE_HOME", "/b")).root())
        .isEqualTo(Path.of("/b/nodekeeper/up"));
    assertThat(UpFolder.of(Map.of("HOME", "/c")).root())
        .isEqualTo(Path.of("/c/.local/state/nodekeeper/up"));
    assertThat(UpFolder.of(Map.of()).root())
        .isEqualTo(Path.of(System.getProperty("user.home"), ".local/state/nodekeeper/up"));
  }

  @Test
  @DisplayName("a folder with somebody's files is neither taken nor removed")
  void foreign() throws Exception {
    Path thesis = Files.writeString(dir.resolve("thesis.txt"), "years of work");
    var folder = new UpFolder(dir);
    assertThat(folder.claim()).isFalse();
    folder.delete();
    assertThat(new Teardown(folder).run()).isFalse();
    assertThat(thesis).exists();
  }

  @Test
  @DisplayName("a folder is taken once, and goes with all that is in it")
  void own() throws Exception {
    var folder = new UpFolder(dir.resolve("deep/up"));
    assertThat(folder.claim()).isTrue();
    assertThat(folder.claim()).isFalse();
    Files.createDirectories(folder.lib());
    Files.writeString(folder.lib().resolve("a.jar"), "");
    UpState.begun().write(folder);
    assertThat(new Teardown(folder).run()).isTrue();
    assertThat(folder.root()).doesNotExist();
    assertThat(new Teardown(folder).run()).isFalse();
  }

  @Test
  @DisplayName("what was written is read back")
  void state() {
    var folder = new UpFolder(dir);
    var state =
        UpState.begun()
            .at("/k", "/kubectl", 81, 82)
            .with("nodekeeper", new Detached.Id(1, 2, "m"))
            .complete();
    state.write(folder);
    assertThat(UpState.read(folder)).contains(state);
    assertThat(state.running()).isFalse();
    assertThat(folder.kubeconfigOfRunning()).isEmpty();
  }
}
