package dev.nodekeeper.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Another wall clock for a process, by libfaketime. */
public final class Clock {
  private Clock() {}

  /** For the environment of a process; the file says how far its clock is off, such as +10d. */
  public static Map<String, String> by(Path file) throws IOException {
    return Map.of(
        "LD_PRELOAD", library().toString(),
        "FAKETIME_TIMESTAMP_FILE", file.toString(),
        "FAKETIME_CACHE_DURATION", "1",
        // The JVM waits by the monotonic clock, which the kernel never sets.
        "FAKETIME_DONT_FAKE_MONOTONIC", "1",
        "DONT_FAKE_MONOTONIC", "1");
  }

  private static Path library() throws IOException {
    try (var folders = Files.newDirectoryStream(Path.of("/usr/lib"), "*-linux-gnu*")) {
      for (Path each : folders) {
        Path library = each.resolve("faketime").resolve("libfaketimeMT.so.1");
        if (Files.exists(library)) {
          return library;
        }
      }
    }
    throw new IllegalStateException("libfaketime is missing: run `make deps`");
  }
}
