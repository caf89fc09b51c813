package dev.nodekeeper.bench.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** What a process has used, as the kernel counts it. */
public record Usage(double cpuSeconds, double rssMib, double peakMib) {

  static Usage of(ProcessHandle process) {
    double cpu = process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    try {
      var lines = Files.readAllLines(proc(process.pid()).resolve("status"));
      return new Usage(cpu, mib(lines, "VmRSS:"), mib(lines, "VmHWM:"));
    } catch (IOException e) {
      throw new UncheckedIOException("process " + process.pid() + " is gone", e);
    }
  }

  /** See proc(5): 5 resets the high-water mark. */
  static void forgetPeak(long pid) {
    try {
      Files.writeString(proc(pid).resolve("clear_refs"), "5");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path proc(long pid) {
    return Path.of("/proc", Long.toString(pid));
  }

  private static double mib(Iterable<String> lines, String field) {
    for (var line : lines) {
      if (line.startsWith(field)) {
        return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
      }
    }
    throw new IllegalStateException("no " + field + " in /proc/PID/status");
  }
}
