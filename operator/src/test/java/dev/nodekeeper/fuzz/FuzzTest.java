package dev.nodekeeper.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.testbed.Budget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Jazzer runs as a process of its own, because it instruments a whole JVM and ends it at a finding.
 * What it found interesting stays in {@code target/fuzz} for the next run; an input that breaks a
 * promise is printed and left there, to be put into the corpus.
 */
@DisplayName("Whatever the input is")
final class FuzzTest {
  private static final Path CORPUS = Path.of("src/test/resources/dev/nodekeeper/fuzz");
  private static final Path WORK = Path.of("target/fuzz");
  private static final int SHORT_SECONDS = 10;
  private static final int HANG_SECONDS = 300;

  /** What Jazzer needs on JDK 25. */
  private static final List<String> JVM =
      List.of(
          "-Xmx512m",
          "-XX:+EnableDynamicAgentLoading",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-Xshare:off");

  enum Target {
    RECORD(RecordTarget.class, RecordTarget::fuzzerTestOneInput),
    VALIDATOR(ValidatorTarget.class, ValidatorTarget::fuzzerTestOneInput),
    PATCH(PatchTarget.class, PatchTarget::fuzzerTestOneInput),
    SETTINGS(SettingsTarget.class, SettingsTarget::fuzzerTestOneInput);

    private final Class<?> type;
    private final Run run;

    Target(Class<?> type, Run run) {
      this.type = type;
      this.run = run;
    }

    private Path corpus() {
      return CORPUS.resolve(name().toLowerCase(Locale.ROOT));
    }

    private Path work() {
      return WORK.resolve(name().toLowerCase(Locale.ROOT));
    }
  }

  @FunctionalInterface
  private interface Run {
    void on(byte[] bytes) throws IOException;
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("the promises hold on the corpus")
  void corpus(Target target) throws IOException {
    List<Path> inputs;
    try (Stream<Path> files = Files.list(target.corpus())) {
      inputs = files.sorted().toList();
    }
    assertThat(inputs).isNotEmpty();
    for (Path input : inputs) {
      target.run.on(Files.readAllBytes(input));
    }
  }

  @ParameterizedTest
  @EnumSource
  @Tag("long")
  @DisplayName("the promises hold on what Jazzer finds in ten seconds")
  void fuzzed(Target target) throws Exception {
    fuzz(target, SHORT_SECONDS);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("long")
  @DisplayName("the promises hold on what Jazzer finds within the budget")
  void searched(Target target) throws Exception {
    fuzz(target, Budget.orElse("1m").toSeconds() / Target.values().length);
  }

  private static void fuzz(Target target, long seconds) throws Exception {
    Path found = Files.createDirectories(target.work().resolve("corpus"));
    Path log = target.work().resolve("log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("com.code_intelligence.jazzer.Jazzer");
    command.add("--target_class=" + target.type.getName());
    command.add("--instrumentation_includes=dev.nodekeeper.**");
    command.add("--reproducer_path=" + target.work());
    command.add("-artifact_prefix=" + target.work() + "/");
    command.add("-max_total_time=" + seconds);
    command.add("-max_len=4096");
    command.add(found.toString());
    command.add(target.corpus().toString());
    Process jazzer =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    jazzer.getOutputStream().close();
    try {
      boolean ended = jazzer.waitFor(seconds + HANG_SECONDS, TimeUnit.SECONDS);
      assertThat(ended).as("Jazzer ends; see %s", log).isTrue();
      assertThat(jazzer.exitValue())
          .as("%s, which names the input to put into %s", tail(log), target.corpus())
          .isZero();
      System.out.println(target + ": " + figures(log));
    } finally {
      jazzer.destroyForcibly();
    }
  }

  private static String figures(Path log) throws IOException {
    return Files.readAllLines(log).stream()
        .filter(line -> line.startsWith("Done "))
        .findFirst()
        .orElse("");
  }

  private static String tail(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
  }
}
