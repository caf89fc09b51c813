package dev.nodekeeper.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One process of the testbed, started by this JVM or found again by a later one. */
final class ChildProcess {

  private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

  private final ProcessHandle handle;
  private final Id id;

  private ChildProcess(ProcessHandle handle, Id id) {
    this.handle = handle;
    this.id = id;
  }

  /** What tells our process from a stranger that got the same pid later. */
  record Id(long pid, long startedMillis, String executable) {}

  static ChildProcess start(List<String> command, Path log, Options.Lifetime lifetime) {
    var wrapped =
        switch (lifetime) {
          case WITH_THIS_JVM -> Leash.tied(command);
          case DETACHED -> Leash.letGo(command);
        };
    try {
      var builder =
          new ProcessBuilder(wrapped)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      if (lifetime == Options.Lifetime.DETACHED) {
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
      }
      var handle = builder.start().toHandle();
      return new ChildProcess(handle, new Id(handle.pid(), started(handle), command.getFirst()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + command.getFirst(), e);
    }
  }

  static Optional<ChildProcess> find(Id id) {
    return ProcessHandle.of(id.pid())
        .filter(handle -> isSame(handle, id))
        .map(handle -> new ChildProcess(handle, id))
        .filter(ChildProcess::alive);
  }

  private static boolean isSame(ProcessHandle handle, Id id) {
    // The kernel counts starts from boot, and its idea of the boot time moves with the clock.
    var sameStart = Math.abs(started(handle) - id.startedMillis()) < 2_000;
    var runs = handle.info().command().orElse("");
    return sameStart && runs.startsWith(real(id.executable()));
  }

  private static String real(String executable) {
    try {
      return Path.of(executable).toRealPath().toString();
    } catch (IOException e) {
      return executable;
    }
  }

  private static long started(ProcessHandle handle) {
    return handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  Id id() {
    return id;
  }

  Instant startedAt() {
    return Instant.ofEpochMilli(id.startedMillis());
  }

  boolean alive() {
    return handle.isAlive() && !abandoned();
  }

  /**
   * Dead, but never waited for: a detached process in a container whose init does not do that. Our
   * own children are waited for. While other threads still end it holds its ports and files.
   */
  private boolean abandoned() {
    if (handle.parent().filter(ProcessHandle.current()::equals).isPresent()) {
      return false;
    }
    var proc = Path.of("/proc", Long.toString(id.pid()));
    try (var threads = Files.list(proc.resolve("task"))) {
      return isIn("Z", proc) && threads.count() <= 1;
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }

  void terminate(Duration grace) {
    handle.destroy();
    if (!Wait.until(grace, () -> !alive())) {
      kill();
    }
  }

  void kill() {
    handle.destroyForcibly();
    if (!Wait.until(KILL_LIMIT, () -> !alive())) {
      throw new IllegalStateException("process " + id + " does not end");
    }
  }

  /** Returns when it has stopped: the signal reaches each of its threads in its own time. */
  void pause() {
    signal("STOP");
    if (!Wait.until(KILL_LIMIT, this::stopped)) {
      throw new IllegalStateException("process " + id + " does not stop");
    }
  }

  private boolean stopped() {
    try (var threads = Files.list(Path.of("/proc", Long.toString(id.pid()), "task"))) {
      return threads.allMatch(ChildProcess::stopped);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean stopped(Path thread) {
    try {
      return isIn("T", thread);
    } catch (IOException e) {
      // It has ended.
      return true;
    }
  }

  /** NB: the state follows the name, which stands in parentheses and may hold any. */
  private static boolean isIn(String state, Path proc) throws IOException {
    var stat = Files.readString(proc.resolve("stat"));
    return stat.startsWith(state, stat.lastIndexOf(')') + 2);
  }

  void resume() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      var code = new ProcessBuilder("kill", "-" + name, Long.toString(id.pid())).start().waitFor();
      if (code != 0) {
        throw new IllegalStateException("kill -" + name + " failed for " + id);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
