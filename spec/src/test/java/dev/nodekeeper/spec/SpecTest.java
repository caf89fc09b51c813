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
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Every configuration says in its first line what TLC must find: {@code expect: PASS}, or {@code
 * expect: VIOLATES I2} (any of several, separated by a bar), and whether it is {@code long}.
 */
@NullMarked
@DisplayName("In every reachable state of the model")
class SpecTest {
  private static final Pattern HEADER =
      Pattern.compile("\\\\\\* expect: (PASS|VIOLATES ([\\w|]+))( long)?");
  private static final long STATES_WANTED = 1_000_000;

  /** A hang bound: the largest of the sample takes a minute on two slow cores. */
  private static final Duration AT_MOST = Duration.ofMinutes(10);

  record Config(String name, Path path, List<String> violates, boolean isLong) {
    boolean passes() {
      return violates.isEmpty();
    }
  }

  private static List<Config> configs() throws IOException {
    List<Config> configs = new ArrayList<>();
    try (Stream<Path> files = Files.list(Path.of("configs"))) {
      for (Path path : files.sorted().toList()) {
        String first = Files.readAllLines(path).getFirst();
        Matcher header = HEADER.matcher(first);
        assertThat(header.matches()).as("%s begins with %s", path, first).isTrue();
        String name = path.getFileName().toString().replace(".cfg", "");
        String violates = header.group(2);
        configs.add(
            new Config(
                name,
                path,
                violates == null ? List.of() : List.of(violates.split("\\|")),
                header.group(3) != null));
      }
    }
    return configs;
  }

  @TestFactory
  @DisplayName("the invariants hold; and each rule that is switched off is missed")
  Stream<DynamicTest> sample() throws IOException {
    List<Config> sample = configs().stream().filter(c -> !c.isLong()).toList();
    AtomicLong distinct = new AtomicLong();
    return Stream.concat(
        sample.stream().map(config -> dynamicTest(config.name(), () -> check(config, distinct))),
        Stream.of(
            dynamicTest(
                "enough states",
                () -> {
                  System.out.printf(
                      "TLC: %,d distinct states without a violation%n", distinct.get());
                  assertThat(distinct.get()).isGreaterThanOrEqualTo(STATES_WANTED);
                })));
  }

  private static void check(Config config, AtomicLong distinct) throws Exception {
    Tlc.Result result = Tlc.check(config.path(), workers(config), AT_MOST);
    System.out.printf("TLC %-24s %s%n", config.name(), result);
    if (config.passes()) {
      assertThat(result.violated()).as(result.log()).isNull();
      assertThat(result.complete()).as("all states were seen in time: %s", result).isTrue();
      distinct.addAndGet(result.distinct());
    } else {
      assertThat(result.violated())
          .as("without its rule %s must fail: %s", config.name(), result)
          .isIn(config.violates());
    }
  }

  @TestFactory
  @Tag("long")
  @DisplayName("larger ones, as far as the budget allows")
  Stream<DynamicTest> search() throws IOException {
    List<Config> searches = configs().stream().filter(Config::isLong).toList();
    Duration each = budget().dividedBy(Math.max(1, searches.size()));
    return searches.stream()
        .map(
            config ->
                dynamicTest(
                    config.name(),
                    () -> {
                      Tlc.Result result = Tlc.check(config.path(), workers(config), each);
                      System.out.printf("TLC %-24s %s%n", config.name(), result);
                      assertThat(result.violated()).as(result.log()).isNull();
                    }));
  }

  /** One where a violation is wanted: with more, which one comes first is a matter of luck. */
  private static String workers(Config config) {
    return config.passes() ? System.getProperty("spec.workers", "auto") : "1";
  }

  /** As 90s, 10m or 1h. */
  private static Duration budget() {
    String text = System.getProperty("nodekeeper.budget", "1m");
    return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
  }
}
