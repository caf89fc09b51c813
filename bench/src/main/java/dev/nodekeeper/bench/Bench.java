package dev.nodekeeper.bench;

import dev.nodekeeper.bench.measure.Launch;
import dev.nodekeeper.bench.phase.Phase;
import dev.nodekeeper.bench.phase.Plan;
import dev.nodekeeper.bench.report.Progress;
import dev.nodekeeper.bench.report.Report;
import dev.nodekeeper.bench.report.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code make bench}. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "Measures nodekeeper on a fleet of N nodes with a real API server.")
public final class Bench implements Callable<Integer> {
  private static final DateTimeFormatter STEM =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  @Option(
      names = "--nodes",
      split = ",",
      defaultValue = "10000",
      description = "How many nodes; several numbers are run one after the other and compared.")
  private List<Integer> nodes = List.of();

  @Option(
      names = "--phases",
      split = ",",
      description = "Which: ${COMPLETION-CANDIDATES}; all when not given.")
  private List<Phase> phases = List.of();

  @Option(names = "--out", defaultValue = "bench/results", description = "Folder for the results.")
  private Path out = Path.of("");

  @Option(names = "--seed", defaultValue = "1", description = "For the order of things.")
  private long seed;

  @Option(
      names = "--duration",
      defaultValue = "0",
      description =
          "Seconds of what goes on for a while; 300 from 100,000 nodes on, 60 from 10,000, else 15.")
  private long duration;

  @Option(
      names = "--jvm",
      defaultValue = "",
      description = "More JVM options for the process under test, such as -Xmx256m.")
  private String jvm = "";

  @Option(
      names = "--memory",
      defaultValue = "0",
      description =
          "MiB that the process under test gets, as in a container; without a limit if 0.")
  private int memory;

  @Option(names = "--profile", description = "Record flights of the process under test.")
  private boolean profile;

  public static void main(String[] args) {
    System.exit(
        new CommandLine(new Bench()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    var stem = STEM.format(Instant.now());
    var growth = new Growth();
    boolean right = true;
    for (int size : nodes) {
      var results = new Results();
      var name = nodes.size() == 1 ? stem : stem + "-" + size;
      try {
        Run.of(plan(size), results);
      } finally {
        show(Report.write(results, out, name, "Bench, %,d nodes".formatted(size)));
      }
      growth.add(size, results);
      right &=
          Stream.of("lost", "stale", "overwritten").allMatch(k -> results.value("check." + k) == 0);
    }
    if (nodes.size() > 1) {
      show(Report.write(growth.results(), out, stem + "-growth", "Bench, growth"));
    }
    // Slow is a result; wrong is a failure.
    return right ? 0 : 1;
  }

  private Plan plan(int size) throws IOException {
    Path logs = Files.createTempDirectory("nodekeeper-bench");
    List<String> options = jvm.isBlank() ? List.of() : List.of(jvm.strip().split("\\s+"));
    Set<Phase> chosen = phases.isEmpty() ? EnumSet.allOf(Phase.class) : EnumSet.copyOf(phases);
    return new Plan(
        size,
        chosen,
        seed,
        duration > 0 ? Duration.ofSeconds(duration) : Plan.usualDuration(size),
        new Launch(memory > 0 ? Launch.launcherWithin(memory) : Launch.launcher(), options, logs),
        profile);
  }

  private static void show(Path table) throws IOException {
    Progress.line("");
    Progress.line(Files.readString(table));
    Progress.line("written to " + table);
  }
}
