package dev.nodekeeper.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DetachedTest {
  @TempDir private Path dir;

  @Test
  @DisplayName("a process is found by pid, start and mark, and ended; a stranger is not touched")
  void ownAndStranger() {
    var id = Detached.start(List.of("sleep", "3600"), "3600", dir.resolve("sleep.log"));
    try {
      assertThat(Detached.alive(id)).isTrue();
      var laterPid = new Detached.Id(id.pid(), id.startedMillis() - 60_000, id.mark());
      var otherProgram = new Detached.Id(id.pid(), id.startedMillis(), "/some/other/folder");
      Detached.end(List.of(laterPid, otherProgram));
      assertThat(Detached.alive(laterPid)).isFalse();
      assertThat(Detached.alive(otherProgram)).isFalse();
      assertThat(Detached.alive(id)).isTrue();
    } finally {
      Detached.end(List.of(id));
    }
    assertThat(Detached.alive(id)).isFalse();
  }
}
