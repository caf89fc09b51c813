package dev.nodekeeper.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An image as a kubelet runs it under restricted Pod Security: read-only, without capabilities, and
 * with its account's token where containers look for it. Needs podman and runc.
 */
public final class Container implements AutoCloseable {

  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final int GRACE_SECONDS = 30;

  private final String name;
  private final Path log;
  private final Process process;

  private Container(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  public static Container start(
      String image, ServiceAccount account, Path log, List<String> arguments) {
    var name = "testbed-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
    var server = account.plane().server();
    var command =
        new ArrayList<>(
            List.of("podman", "--runtime=runc", "run", "--rm", "--name=" + name, "--network=host"));
    // What the sandbox of a build machine allows at most.
    command.addAll(List.of("--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024"));
    command.addAll(
        List.of(
            "--read-only",
            "--read-only-tmpfs=false",
            "--cap-drop=all",
            "--security-opt=no-new-privileges",
            "--volume=" + account.mount() + ":/var/run/secrets/kubernetes.io/serviceaccount:ro",
            "--env=KUBERNETES_SERVICE_HOST=" + server.getHost(),
            "--env=KUBERNETES_SERVICE_PORT=" + server.getPort(),
            image));
    command.addAll(arguments);
    try {
      var output = ProcessBuilder.Redirect.appendTo(log.toFile());
      return new Container(
          name,
          log,
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fails where it has ended. */
  public void expectRunning() {
    if (!process.isAlive()) {
      throw new StartFailedException("container " + name, log);
    }
  }

  /** As the kernel of this machine calls its first process. */
  public String pid() {
    try {
      var inspect =
          new ProcessBuilder("podman", "inspect", "--format={{.State.Pid}}", name).start();
      var text = new String(inspect.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      inspect.waitFor();
      return text.strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** SIGTERM, as a kubelet ends it; its exit code. */
  public int stop() {
    try {
      process.destroy();
      if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
        new ProcessBuilder("podman", "kill", name).start().waitFor();
        throw new IllegalStateException(name + " did not end in " + GRACE_SECONDS + " s");
      }
      return process.exitValue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      stop();
    }
  }
}
