package dev.nodekeeper.spec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** TLC in a JVM of its own: it keeps much in static fields, and a time bound needs a process. */
@NullMarked
final class Tlc {
  private static final Pattern VIOLATED = Pattern.compile("Invariant (\\w+) is violated");
  private static final Pattern DISTINCT = Pattern.compile("([\\d,]+) distinct states found");
  private static final int VIOLATION_EXIT = 12;

  private Tlc() {}

  /**
   * What a run showed.
   *
   * @param violated the invariant that does not hold; null when none was found
   * @param complete all reachable states were seen, within the time
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

  static Result check(Path config, String workers, Duration atMost)
      throws IOException, InterruptedException {
    Path scratch = Files.createDirectories(Path.of("target/tlc").resolve(config.getFileName()));
    try {
      return run(config, workers, atMost, scratch.toAbsolutePath());
    } finally {
      delete(scratch);
    }
  }

  private static Result run(Path config, String workers, Duration atMost, Path scratch)
      throws IOException, InterruptedException {
    Path out = scratch.resolve("out.txt");
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseParallelGC",
                "-Xmx" + System.getProperty("spec.heap", "1g"),
                "-Djava.io.tmpdir=" + scratch,
                "-cp",
                jar(),
                "tlc2.TLC",
                "-workers",
                workers,
                "-deadlock",
                "-metadir",
                scratch.resolve("states").toString(),
                "-config",
                config.toString(),
                "MC.tla")
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    boolean ended = false;
    try {
      ended = process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      process.destroyForcibly().waitFor();
    }
    long millis = (System.nanoTime() - start) / 1_000_000;
    String log = Files.readString(out);
    Matcher violated = VIOLATED.matcher(log);
    String name = violated.find() ? violated.group(1) : null;
    if (ended
        && process.exitValue() != 0
        && !(name != null && process.exitValue() == VIOLATION_EXIT)) {
      throw new IllegalStateException("TLC exits with " + process.exitValue() + ":\n" + log);
    }
    return new Result(name, ended && name == null, lastDistinct(log), millis, log);
  }

  private static long lastDistinct(String log) {
    long last = 0;
    for (Matcher m = DISTINCT.matcher(log); m.find(); ) {
      last = Long.parseLong(m.group(1).replace(",", ""));
    }
    return last;
  }

  private static String jar() {
    try {
      return Path.of(tlc2.TLC.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
