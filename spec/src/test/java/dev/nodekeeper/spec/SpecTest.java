package dev.nodekeeper.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every configuration says in its first line what TLC must find: {@code expect: PASS} or {@code
 * expect: VIOLATES I2}, and whether it is {@code long}.
 */
@NullMarked
@DisplayName("In every reachable state of the model")
class SpecTest {
  private static final Pattern HEADER =
      Pattern.compile("\\\\\\* expect: (PASS|VIOLATES (\\w+))( long)?");
  private static final Pattern RULE = Pattern.compile("(\\w+) \\|-> \"\\w+\" \\\\notin Off");
  private static final Pattern OFF = Pattern.compile("Off = \\{\"(\\w+)\"}");
  private static final long STATES_WANTED = 1_000_000;

  /** A hang bound: the largest of the sample takes less than a minute of one core. */
  private static final Duration AT_MOST = Duration.ofMinutes(10);

  record Config(String name, Path path, @Nullable String violates, boolean isLong) {}

  private static List<Config> configs(boolean isLong) throws IOException {
    List<Config> configs = new ArrayList<>();
    try (Stream<Path> files = Files.list(Path.of("configs"))) {
      for (Path path : files.sorted().toList()) {
        String first = Files.readAllLines(path).getFirst();
        Matcher header = HEADER.matcher(first);
        assertThat(header.matches()).as("%s begins with %s", path, first).isTrue();
        String name = path.getFileName().toString().replace(".cfg", "");
        configs.add(new Config(name, path, header.group(2), header.group(3) != null));
      }
    }
    return configs.stream().filter(config -> config.isLong() == isLong).toList();
  }

  private static List<Path> paths(List<Config> configs) {
    return configs.stream().map(Config::path).toList();
  }

  @Test
  @DisplayName("every rule that can be switched off has a configuration that misses it")
  void everyRule() throws IOException {
    Set<String> rules =
        RULE.matcher(Files.readString(Path.of("Nodekeeper.tla")))
            .results()
            .map(result -> result.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> missed = new TreeSet<>();
    for (Config config : configs(false)) {
      if (config.violates() != null) {
        OFF.matcher(Files.readString(config.path()))
            .results()
            .map(MatchResult::group)
            .forEach(off -> missed.add(OFF.matcher(off).replaceAll("$1")));
      }
    }
    assertThat(rules).hasSizeGreaterThan(20);
    assertThat(missed).isEqualTo(rules);
  }

  @TestFactory
  @DisplayName("the invariants hold; and each rule that is switched off is missed")
  Stream<DynamicTest> sample() throws IOException {
    List<Config> sample = configs(false);
    // One worker: which counterexample comes first must not be a matter of luck.
    Tlc tlc = new Tlc(paths(sample), System.getProperty("spec.workers", "1"));
    AtomicLong distinct = new AtomicLong();
    return Stream.concat(
            sample.stream()
                .map(config -> dynamicTest(config.name(), () -> check(tlc, config, distinct))),
            Stream.of(
                dynamicTest(
                    "enough states",
                    () -> {
                      System.out.printf(
                          "TLC: %,d distinct states without a violation%n", distinct.get());
                      assertThat(distinct.get()).isGreaterThanOrEqualTo(STATES_WANTED);
                    })))
        .onClose(() -> close(tlc));
  }

  private static void check(Tlc tlc, Config config, AtomicLong distinct) throws Exception {
    Tlc.Result result = tlc.next(config.path(), AT_MOST);
    System.out.printf("TLC %-20s %s%n", config.name(), result);
    if (config.violates() == null) {
      assertThat(result.violated()).as(result.log()).isNull();
      assertThat(result.complete()).as("all states were seen in time: %s", result).isTrue();
      distinct.addAndGet(result.distinct());
    } else {
      assertThat(result.violated())
          .as("%s must miss its rule: %s", config.name(), result)
          .isEqualTo(config.violates());
    }
  }

  @TestFactory
  @Tag("long")
  @DisplayName("larger ones, as far as the budget allows")
  Stream<DynamicTest> search() throws IOException {
    Pattern only = Pattern.compile(System.getProperty("spec.only", ".*"));
    List<Config> searches =
        configs(true).stream().filter(config -> only.matcher(config.name()).matches()).toList();
    Duration each = budget().dividedBy(Math.max(1, searches.size()));
    AtomicLong distinct = new AtomicLong();
    return searches.stream()
        .map(config -> dynamicTest(config.name(), () -> search(config, each, distinct)));
  }

  private static void search(Config config, Duration budget, AtomicLong total) throws Exception {
    long end = System.nanoTime() + budget.toNanos();
    try (Tlc tlc = new Tlc(List.of(config.path()), System.getProperty("spec.workers", "1"))) {
      Tlc.Result result;
      do {
        long left = Math.min(end - System.nanoTime(), Duration.ofMinutes(1).toNanos());
        result = tlc.next(config.path(), Duration.ofNanos(left));
        System.out.printf("TLC %-20s %s%n", config.name(), result);
      } while (!result.complete() && result.violated() == null && System.nanoTime() < end);
      assertThat(result.violated()).as(result.log()).isNull();
      System.out.printf(
          "TLC: %,d distinct states without a violation so far%n",
          total.addAndGet(result.distinct()));
    }
  }

  private static void close(Tlc tlc) {
    try {
      tlc.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** As 90s, 10m or 1h. */
  private static Duration budget() {
    String text = System.getProperty("nodekeeper.budget", "1m");
    return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
  }
}
