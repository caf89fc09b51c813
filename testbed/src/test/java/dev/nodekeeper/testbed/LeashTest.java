package dev.nodekeeper.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.testbed.binaries.OtherJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A process on the leash ends with its JVM, a detached one does not")
class LeashTest {

  @TempDir Path folder;

  @Test
  @DisplayName("kill -9 of the JVM takes its processes and its temporary folder along")
  void killedJvm() throws Exception {
    var temporary = Files.createDirectory(folder.resolve("temporary"));
    Files.writeString(temporary.resolve("data"), "x");
    try (var jvm = new OtherJvm(Starter.class, "WITH_THIS_JVM", temporary.toString())) {
      var pid = Long.parseLong(jvm.nextLine());
      assertThat(alive(pid)).isTrue();
      jvm.kill();
      await().until(() -> !alive(pid));
      await().until(() -> Files.notExists(temporary));
    }
  }

  @Test
  @DisplayName("a detached process is found again by its id, and a stranger with its pid is not")
  void detached() throws Exception {
    try (var jvm = new OtherJvm(Starter.class, "DETACHED", folder.resolve("none").toString())) {
      var pid = Long.parseLong(jvm.nextLine());
      var started = Long.parseLong(jvm.nextLine());
      var executable = jvm.nextLine();
      jvm.kill();
      var id = new ChildProcess.Id(pid, started, executable);
      await().until(() -> ChildProcess.find(id).isPresent());
      assertThat(ChildProcess.find(new ChildProcess.Id(pid, started - 60_000, executable)))
          .isEmpty();
      assertThat(ChildProcess.find(new ChildProcess.Id(pid, started, "/bin/other"))).isEmpty();
      ChildProcess.find(id).orElseThrow().kill();
      assertThat(ChildProcess.find(id)).isEmpty();
    }
  }

  private static boolean alive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  /** Starts a process, prints who it is, and stays until killed. */
  static final class Starter {
    public static void main(String[] arguments) throws Exception {
      var guard = Leash.guard(Path.of(arguments[1]));
      var process =
          ChildProcess.start(
              List.of("/bin/sleep", "600"),
              Path.of("/dev/null"),
              Options.Lifetime.valueOf(arguments[0]));
      var id = process.id();
      System.out.println(id.pid() + "\n" + id.startedMillis() + "\n" + id.executable());
      guard.waitFor();
    }
  }
}
