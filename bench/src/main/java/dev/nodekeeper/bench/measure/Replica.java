package dev.nodekeeper.bench.measure;

import dev.nodekeeper.bench.load.Loader;
import dev.nodekeeper.bench.report.Progress;
import dev.nodekeeper.testbed.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** One {@code nodekeeper run}, a process of its own. */
public final class Replica implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Duration LOOK = Duration.ofMillis(50);
  private static final Duration SCRAPE = Duration.ofSeconds(1);
  private static final Duration ANSWER = Duration.ofSeconds(20);
  private static final long END_SECONDS = 15;

  private final String name;
  private final Process process;
  private final int port;
  private final Path log;
  private final Instant started;
  private final Thread endWithUs;

  private Replica(String name, Process process, int port, Path log, Instant started) {
    this.name = name;
    this.process = process;
    this.port = port;
    this.log = log;
    this.started = started;
    this.endWithUs = new Thread(process::destroyForcibly, "end-" + name);
    Runtime.getRuntime().addShutdownHook(endWithUs);
  }

  /**
   * Returns at once.
   *
   * @param name its host name, by which its leases are told from those of others
   */
  public static Replica start(Launch launch, String name, Path kubeconfig, String... flags) {
    int port = Ports.one();
    List<String> command = new ArrayList<>(launch.command());
    command.addAll(
        List.of(
            "run",
            "--kubeconfig=" + kubeconfig,
            "--http-port=" + port,
            "--console=127.0.0.1:0",
            "--log-level=warn"));
    command.addAll(List.of(flags));
    Path log = launch.logs().resolve(name + ".log");
    var builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().put("NODEKEEPER_BUILD", "never");
    builder.environment().put("NODEKEEPER_JAVA_OPTS", String.join(" ", launch.jvm()));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("HOSTNAME", name);
    try {
      var started = Instant.now();
      return new Replica(name, builder.start(), port, log, started);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + command.getFirst(), e);
    }
  }

  public String name() {
    return name;
  }

  public long pid() {
    return process.pid();
  }

  public double secondsSinceStart() {
    return secondsUntil(Instant.now());
  }

  /** From its start. */
  public double secondsUntil(Instant moment) {
    return Duration.between(started, moment).toNanos() / 1e9;
  }

  public void awaitReady(Duration limit) {
    await(limit, "ready", this::ready);
  }

  private boolean ready() {
    try {
      return ask("/readyz").statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  /** Looks twenty times a second; fails when the time is up. */
  public void await(Duration limit, String what, BooleanSupplier condition) {
    await(limit, LOOK, what, condition);
  }

  private void await(Duration limit, Duration every, String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (!process.isAlive()) {
        throw new IllegalStateException(name + " has ended; its log is " + log);
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "%s: not within %s: %s; its log is %s".formatted(name, limit, what, log));
      }
      Loader.pause(every);
    }
  }

  /** Until one of its counters has reached that. */
  public void awaitCount(Duration limit, String metric, double atLeast, Progress progress) {
    awaitMetrics(
        limit,
        metric + " at " + atLeast,
        () -> {
          double now = metric(metric);
          progress.at((int) (progress.total() - Math.max(0, atLeast - now)));
          return now >= atLeast;
        });
  }

  /**
   * For conditions that look at metrics, and so seldom: a scrape costs the process megabytes of
   * garbage, and would be most of what is measured.
   */
  public void awaitMetrics(Duration limit, String what, BooleanSupplier condition) {
    await(limit, SCRAPE, what, condition);
  }

  /** One of its metrics, summed over all labels; 0 where it does not have it (yet). */
  public double metric(String metric) {
    return metrics().getOrDefault(metric, 0.0);
  }

  /** All its metrics, each summed over all labels. */
  public Map<String, Double> metrics() {
    try {
      return ask("/metrics")
          .body()
          .lines()
          .filter(line -> !line.startsWith("#"))
          .collect(
              Collectors.groupingBy(
                  line -> line.substring(0, end(line)),
                  Collectors.summingDouble(
                      line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))));
    } catch (IOException e) {
      throw new UncheckedIOException(name + " does not answer; its log is " + log, e);
    }
  }

  /** Of the name. */
  private static int end(String line) {
    int labels = line.indexOf('{');
    return labels < 0 ? line.indexOf(' ') : labels;
  }

  private HttpResponse<String> ask(String path) throws IOException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(ANSWER)
            .build();
    try {
      return HTTP.send(request, BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** What the kernel says of it now. */
  public Usage usage() {
    return Usage.of(process.toHandle());
  }

  /** From here on the peak counts anew. */
  public void forgetPeak() {
    Usage.forgetPeak(process.pid());
  }

  /** SIGTERM: it gives its leases back. */
  public void stop() {
    process.destroy();
    awaitEnd();
  }

  /** kill -9. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  private void awaitEnd() {
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    Runtime.getRuntime().removeShutdownHook(endWithUs);
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      kill();
    }
  }
}
