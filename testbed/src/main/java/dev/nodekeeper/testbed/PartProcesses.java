package dev.nodekeeper.testbed;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The running processes of one control plane, and their record on disk. */
final class PartProcesses {

  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  /** The API server lingers after SIGTERM for as long as somebody watches. */
  private static final Duration STOP_GRACE = Duration.ofSeconds(3);

  private final Options options;
  private final Layout layout;
  private final PartCommands commands;
  private final CertificateAuthority authority;
  private final Map<Part, ChildProcess> running = new EnumMap<>(Part.class);
  private boolean closed;

  PartProcesses(
      Options options, Layout layout, PartCommands commands, CertificateAuthority authority) {
    this.options = options;
    this.layout = layout;
    this.commands = commands;
    this.authority = authority;
  }

  /** Takes over what an earlier process started and what still runs of it. */
  synchronized void adopt(State state) {
    state
        .processes()
        .forEach((part, id) -> ChildProcess.find(id).ifPresent(found -> running.put(part, found)));
  }

  synchronized void start(Part part, Path adminKubeconfig) {
    if (closed) {
      throw new IllegalStateException("the control plane is closed");
    }
    if (isRunning(part)) {
      throw new IllegalStateException(part.title() + " runs already");
    }
    var program = options.binaries().path(part.tool());
    var command = commands.of(part, program, adminKubeconfig);
    var log = layout.log(part.title());
    var process = ChildProcess.start(command, log, options.lifetime());
    running.put(part, process);
    writeState();
    try (var health = new Health(authority, commands.health(part))) {
      Wait.until(START_LIMIT, () -> !process.alive() || health.good());
      // Asked last: a stranger on our port may be healthy while our process has given up.
      if (!health.good() || !process.alive()) {
        throw new StartFailedException(part.title(), log);
      }
    }
  }

  synchronized void stop(Part part) {
    end(part, process -> process.terminate(STOP_GRACE));
  }

  synchronized void kill(Part part) {
    end(part, ChildProcess::kill);
  }

  synchronized void pause(Part part) {
    process(part).pause();
  }

  synchronized void resume(Part part) {
    process(part).resume();
  }

  synchronized boolean isRunning(Part part) {
    return Optional.ofNullable(running.get(part)).filter(ChildProcess::alive).isPresent();
  }

  synchronized ChildProcess process(Part part) {
    return Optional.ofNullable(running.get(part))
        .orElseThrow(() -> new IllegalStateException(part.title() + " was not started"));
  }

  /** The start of the API server that serves now; the far future when none does. */
  synchronized Instant servingSince() {
    return isRunning(Part.APISERVER) ? process(Part.APISERVER).startedAt() : Instant.MAX;
  }

  /** Ends all of them, the last started first; nothing starts afterwards. */
  synchronized void endAll() {
    closed = true;
    for (var part : List.of(Part.values()).reversed()) {
      if (running.containsKey(part)) {
        // Only data that is kept is worth an orderly end.
        var orderly = part == Part.ETCD && options.folder().isPresent();
        end(part, orderly ? process -> process.terminate(STOP_GRACE) : ChildProcess::kill);
      }
    }
  }

  private void end(Part part, Consumer<ChildProcess> how) {
    how.accept(process(part));
    running.remove(part);
    writeState();
  }

  /** A temporary folder is nobody's to find again. */
  private void writeState() {
    if (options.folder().isPresent()) {
      var ids = new EnumMap<Part, ChildProcess.Id>(Part.class);
      running.forEach((part, process) -> ids.put(part, process.id()));
      var state =
          new State(
              commands.ports(),
              options.parts(),
              options.durability(),
              options.apiServerFlags(),
              ids);
      Json.write(layout.state(), state);
    }
  }
}
