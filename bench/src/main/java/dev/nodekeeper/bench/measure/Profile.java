package dev.nodekeeper.bench.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Flight recordings of a replica, one for each phase; kept as text, since they are megabytes. */
public final class Profile {
  private static final String NAME = "bench";

  private Profile() {}

  /** For a replica that starts: nothing of its start is missed. */
  public static String option() {
    return "-XX:StartFlightRecording:name=" + NAME + ",settings=profile";
  }

  /** For a replica that runs already: a recording of only what comes. */
  public static void restart(long pid) {
    jdk("jcmd", Long.toString(pid), "JFR.stop", "name=" + NAME);
    jdk("jcmd", Long.toString(pid), "JFR.start", "name=" + NAME, "settings=profile");
  }

  /** What it was busy with since, as the JDK's own tool tells it. */
  public static String hotMethods(long pid, Path folder) {
    Path file = folder.resolve("phase-" + pid + ".jfr").toAbsolutePath();
    jdk("jcmd", Long.toString(pid), "JFR.dump", "name=" + NAME, "filename=" + file);
    try {
      var text = new StringBuilder();
      for (String view : List.of("hot-methods", "allocation-by-site", "gc-pauses")) {
        text.append(jdk("jfr", "view", "--width", "140", view, file.toString()));
      }
      return text.toString();
    } finally {
      delete(file);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String jdk(String tool, String... arguments) {
    var command = new java.util.ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", tool).toString());
    command.addAll(List.of(arguments));
    try {
      var process = new ProcessBuilder(command).redirectErrorStream(true).start();
      var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? output : tool + " failed: " + output;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + tool, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
