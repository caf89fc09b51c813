package dev.nodekeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.config.Option;
import dev.nodekeeper.config.Options;
import dev.nodekeeper.core.keep.Effect.Purpose;
import dev.nodekeeper.core.keep.NodeClass;
import dev.nodekeeper.core.keep.Reason;
import dev.nodekeeper.core.keep.Role;
import dev.nodekeeper.core.keep.Verdict;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.State;
import dev.nodekeeper.telemetry.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is made from something else says the same; `make docs` writes it anew")
final class ReferenceTest {
  private static final Path PAGES = Path.of("..", "docs", "reference");
  private static final Path DEPLOY = Path.of("..", "deploy");

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

        The same word in the log, in the metric `nodekeeper_reports_total{reason}` and, where people look for it on the
        node, in an event (namespace `default`): of one reason one in ten minutes per node, which says how many there
        were (`count`), at most five a second, of good news at most one (after a burst of ten). In a log of JSON lines
        `reason`, `node`, `version` (of the record), `uid` and `was` (the node's life, and the one before) are fields.
        Values of annotations are in none of them.

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
                        .formatted(metric.scraped(), metric.labels(), metric.meaning()))
            + """

            Every replica watches all nodes and records: of `nodekeeper_nodes`, `nodekeeper_records` and the like take the
            maximum. What is about owned nodes adds up over the replicas of a role. Fraction of nodes with their latest content:
            `sum(nodekeeper_owned_nodes{state="current"}) / sum(nodekeeper_owned_nodes{state!="away"})`.

            | label | values |
            |---|---|
            """
            + rows(LABELS, label -> label));
  }

  private static final List<String> LABELS =
      List.of(
          values("state", State.values(), State::word),
          values("decision", Verdict.values(), Verdict::word),
          values("class", NodeClass.values(), NodeClass::word),
          values("kind", Kind.values(), ReferenceTest::lower),
          values("role", Role.values(), ReferenceTest::lower),
          values("purpose", Purpose.values(), ReferenceTest::lower));

  private static <T> String values(String label, T[] all, Function<T, String> word) {
    return "| `%s` | %s |"
        .formatted(
            label,
            Arrays.stream(all)
                .map(v -> "`" + word.apply(v) + "`")
                .collect(Collectors.joining(", ")));
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  @Test
  void alerts() throws IOException {
    String rules = Files.readString(DEPLOY.resolve("alerts/nodekeeper.rules.yaml"));
    check(DEPLOY.resolve("helm/nodekeeper/files/rules.yaml"), rules);
    check(
        DEPLOY.resolve("kustomize/components/monitoring/prometheusrule.yaml"),
        """
        # Made by `make docs` from deploy/alerts/nodekeeper.rules.yaml.
        apiVersion: monitoring.coreos.com/v1
        kind: PrometheusRule
        metadata:
          name: nodekeeper
          namespace: nodekeeper
          labels:
            app.kubernetes.io/name: nodekeeper
        spec:
        """
            + rules.indent(2));
  }

  @Test
  void dashboard() throws IOException {
    String dashboard = Files.readString(DEPLOY.resolve("grafana/nodekeeper.json"));
    check(DEPLOY.resolve("helm/nodekeeper/files/dashboard.json"), dashboard);
    check(
        DEPLOY.resolve("kustomize/components/monitoring/dashboard.yaml"),
        """
        # Made by `make docs` from deploy/grafana/nodekeeper.json. Not in our namespace, where every ConfigMap is a record.
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: nodekeeper-dashboard
          namespace: default
          labels:
            app.kubernetes.io/name: nodekeeper
            grafana_dashboard: "1"
        data:
          nodekeeper.json: |
        """
            + dashboard.indent(4));
  }

  private static <T> String rows(List<T> all, Function<T, String> row) {
    return all.stream().map(row).collect(Collectors.joining("\n")) + "\n";
  }

  private static void check(String page, String text) throws IOException {
    check(PAGES.resolve(page), text);
  }

  private static void check(Path file, String text) throws IOException {
    if (Boolean.getBoolean("docs.update")) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    }
    assertThat(file).as("run `make docs` and commit %s", file).hasContent(text);
  }
}
