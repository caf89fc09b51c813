package dev.nodekeeper.spec;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** TLC in a JVM of its own, which can be ended. Its configurations are checked in their order. */
@NullMarked
final class Tlc implements AutoCloseable {
  private static final Pattern VIOLATED = Pattern.compile("Invariant (\\w+) is violated");
  private static final Pattern DISTINCT = Pattern.compile("([\\d,]+) distinct states found");
  private static final String ERRORS = "errors.txt";
  private static final int OK = 0;

  /**
   * TLC 2.18 estimates how likely it is that fingerprints hid a state, and once divided by zero
   * there. By then all states have been seen.
   */
  private static final Pattern AFTER_THE_END =
      Pattern.compile("ArithmeticException\\s*: Division by zero\\s.* 0 states left on queue");

  private static final int INVARIANT_VIOLATED = 2110;

  private final Path scratch;
  private final Process process;
  private final BufferedReader lines;

  /** A line that we still wait for. */
  private @Nullable CompletableFuture<String> pending;

  /**
   * What a run showed.
   *
   * @param violated the invariant that does not hold; null when none was found
   * @param complete all reachable states were seen
   */
  record Result(
      @Nullable String violated, boolean complete, long distinct, long millis, String log) {
    @Override
    public String toString() {
      return "%s, %,d distinct states%s, %.1f s"
          .formatted(
              violated == null ? "no violation" : "violates " + violated,
              distinct,
              complete || violated != null ? "" : " (not all)",
              millis / 1000.0);
    }
  }

  Tlc(List<Path> configs, String workers) throws IOException {
    scratch = Files.createTempDirectory(Files.createDirectories(Path.of("target/tlc")), "run");
    Path absolute = scratch.toAbsolutePath();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    command.add("-Xmx" + System.getProperty("spec.heap", "2g"));
    command.add("-Djava.io.tmpdir=" + absolute);
    command.add("-cp");
    command.add(classPath());
    command.add(TlcMain.class.getName());
    command.add(absolute.toString());
    command.add(workers);
    configs.forEach(config -> command.add(config.toString()));
    process = new ProcessBuilder(command).redirectError(scratch.resolve(ERRORS).toFile()).start();
    lines = process.inputReader();
  }

  /** Blocks for at most the given time; then what was found so far. */
  Result next(Path config, Duration atMost) throws IOException, InterruptedException {
    long start = System.nanoTime();
    String code = line(atMost);
    long millis = (System.nanoTime() - start) / 1_000_000;
    String log = Files.readString(log(scratch, config));
    Matcher violated = VIOLATED.matcher(log);
    String name = violated.find() ? violated.group(1) : null;
    int expected = name == null ? OK : INVARIANT_VIOLATED;
    if (code != null && Integer.parseInt(code) != expected && !AFTER_THE_END.matcher(log).find()) {
      throw new IllegalStateException("TLC ends with " + code + ":\n" + log);
    }
    return new Result(name, code != null && name == null, lastDistinct(log), millis, log);
  }

  /** Null when the time is over. */
  private @Nullable String line(Duration atMost) throws IOException, InterruptedException {
    CompletableFuture<String> line = pending == null ? read() : pending;
    pending = line;
    try {
      String text = line.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
      pending = null;
      return text;
    } catch (TimeoutException e) {
      return null;
    } catch (ExecutionException e) {
      throw new IOException("TLC ended: " + Files.readString(scratch.resolve(ERRORS)), e);
    }
  }

  private CompletableFuture<String> read() {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return Objects.requireNonNull(lines.readLine(), "no further line");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  @Override
  public void close() throws IOException, InterruptedException {
    process.destroyForcibly().waitFor();
    try (Stream<Path> files = Files.walk(scratch)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  static Path log(Path scratch, Path config) {
    return scratch.resolve(config.getFileName() + ".txt");
  }

  private static long lastDistinct(String log) {
    long last = 0;
    for (Matcher m = DISTINCT.matcher(log); m.find(); ) {
      last = Long.parseLong(m.group(1).replace(",", ""));
    }
    return last;
  }

  private static String classPath() {
    return of(tlc2.TLC.class) + File.pathSeparator + of(TlcMain.class);
  }

  private static Path of(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
