package dev.nodekeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.config.Option;
import dev.nodekeeper.config.Options;
import dev.nodekeeper.core.keep.Reason;
import dev.nodekeeper.telemetry.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The reference pages say what the code says; `make docs` writes them anew")
final class ReferenceTest {
  private static final Path PAGES = Path.of("..", "docs", "reference");

  @Test
  void settings() throws IOException {
    check(
        "settings.md",
        """
        # Settings of `nodekeeper run`

        Each is a flag and an environment variable; the flag wins. All violations are reported at once.

        | flag | environment | default | allowed | meaning |
        |---|---|---|---|---|
        """
            + rows(Options.ALL, ReferenceTest::row));
  }

  private static String row(Option<?> option) {
    return "| `%s` | `%s` | %s | %s | %s |"
        .formatted(
            option.flag(),
            option.env(),
            option.standard().isEmpty() ? "" : "`" + option.standard() + "`",
            option.allowed(),
            option.description());
  }

  @Test
  void reports() throws IOException {
    check(
        "reports.md",
        """
        # What it tells people

        The same word in the log, in the metric `nodekeeper_reports_total{reason}` and, where it needs a person, in an
        event on the node (namespace `default`).

        | reason | event | meaning |
        |---|---|---|
        """
            + rows(
                Arrays.asList(Reason.values()),
                reason ->
                    "| `%s` | %s | %s |"
                        .formatted(reason.word(), reason.event() ? "yes" : "", reason.meaning())));
  }

  @Test
  void metrics() throws IOException {
    check(
        "metrics.md",
        """
        # Metrics

        On `/metrics`, in the Prometheus format. Node names are never labels.

        | name | labels | meaning |
        |---|---|---|
        """
            + rows(
                Arrays.asList(Metric.values()),
                metric ->
                    "| `%s` | %s | %s |"
                        .formatted(metric.scraped(), metric.labels(), metric.meaning())));
  }

  private static <T> String rows(List<T> all, Function<T, String> row) {
    return all.stream().map(row).collect(Collectors.joining("\n")) + "\n";
  }

  private static void check(String page, String text) throws IOException {
    Path file = PAGES.resolve(page);
    if (Boolean.getBoolean("docs.update")) {
      Files.createDirectories(PAGES);
      Files.writeString(file, text);
    }
    assertThat(file).as("run `make docs` and commit %s", page).hasContent(text);
  }
}
