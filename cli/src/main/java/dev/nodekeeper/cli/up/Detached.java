package dev.nodekeeper.cli.up;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Processes that outlive the command which starts them, and are found again by a later one. */
final class Detached {
  private static final Duration GRACE = Duration.ofSeconds(6);
  private static final Duration KILLED = Duration.ofSeconds(5);

  /** The kernel counts starts from boot, and its idea of the boot time moves with the clock. */
  private static final long CLOCK_DRIFT_MILLIS = 2_000;

  /** A session of its own: neither Ctrl-C nor the end of the terminal reaches it. */
  private static final String LET_GO =
      """
      if command -v setsid >/dev/null; then exec setsid "$@"; fi
      trap '' HUP INT
      exec "$@"
      """;

  private Detached() {}

  /**
   * What tells our process from a stranger that got the same pid later.
   *
   * @param mark stands in its command line
   */
  record Id(long pid, long startedMillis, String mark) {
    static Id of(ProcessHandle handle, String mark) {
      return new Id(handle.pid(), started(handle), mark);
    }

    static Id ofThisProcess() {
      return of(ProcessHandle.current(), "");
    }
  }

  static Id start(List<String> command, String mark, Path log) {
    List<String> wrapped = new ArrayList<>(List.of("sh", "-c", LET_GO, "nodekeeper"));
    wrapped.addAll(command);
    try {
      Files.createDirectories(log.toAbsolutePath().getParent());
      ProcessBuilder builder =
          new ProcessBuilder(wrapped)
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      // A proxy of the person's shell is not the way to this computer itself.
      builder.environment().merge("NO_PROXY", "127.0.0.1", (old, ours) -> old + "," + ours);
      return Id.of(builder.start().toHandle(), mark);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + command.getFirst(), e);
    }
  }

  static boolean alive(Id id) {
    return find(id).isPresent();
  }

  /** SIGTERM to all at once, and SIGKILL for those that do not listen. */
  static void end(Collection<Id> ids) {
    ids.forEach(id -> find(id).ifPresent(ProcessHandle::destroy));
    if (!Patience.holds(GRACE, () -> ids.stream().noneMatch(Detached::alive))) {
      ids.forEach(id -> find(id).ifPresent(ProcessHandle::destroyForcibly));
      Patience.await(
          KILLED,
          () -> "processes %s do not end".formatted(ids),
          () -> ids.stream().noneMatch(Detached::alive));
    }
  }

  private static Optional<ProcessHandle> find(Id id) {
    return ProcessHandle.of(id.pid())
        .filter(ProcessHandle::isAlive)
        .filter(handle -> Math.abs(started(handle) - id.startedMillis()) < CLOCK_DRIFT_MILLIS)
        .filter(handle -> handle.info().commandLine().orElse(id.mark()).contains(id.mark()))
        .filter(handle -> !zombie(handle));
  }

  /** A dead process that nobody waited for, as in a container without an init. */
  private static boolean zombie(ProcessHandle handle) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(handle.pid()), "stat"));
      return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return false;
    }
  }

  private static long started(ProcessHandle handle) {
    return handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }
}
