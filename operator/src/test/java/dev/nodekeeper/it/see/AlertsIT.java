package dev.nodekeeper.it.see;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.nodekeeper.telemetry.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The alerts")
final class AlertsIT {
  static final Path RULES = Path.of("..", "deploy", "alerts", "nodekeeper.rules.yaml");
  private static final Path CASES = RULES.resolveSibling("tests.yaml");
  private static final Path RUNBOOK = Path.of("..", "docs", "operations", "troubleshooting.md");
  private static final YAMLMapper YAML = new YAMLMapper();

  static List<JsonNode> alerts() throws IOException {
    return YAML.readTree(RULES.toFile()).path("groups").findParents("alert").stream().toList();
  }

  @Test
  @DisplayName("are rules that promtool takes, and behave as their cases say")
  void promtool() {
    Shell.Ran check =
        Shell.run(Map.of(), "promtool", "check", "rules", "deploy/alerts/nodekeeper.rules.yaml");
    assertThat(check.code()).as(check.output()).isZero();
    Shell.Ran test = Shell.run(Map.of(), "promtool", "test", "rules", "deploy/alerts/tests.yaml");
    assertThat(test.code()).as(test.output()).isZero();
  }

  @Test
  @DisplayName("each has a case in which it fires and one in which it stays silent")
  void cases() throws IOException {
    List<JsonNode> cases = YAML.readTree(CASES.toFile()).findParents("alertname");
    for (JsonNode alert : alerts()) {
      String name = alert.path("alert").asText();
      List<Boolean> fires =
          cases.stream()
              .filter(one -> one.path("alertname").asText().equals(name))
              .map(one -> !one.path("exp_alerts").isEmpty())
              .toList();
      assertThat(fires).as(name).contains(true, false);
    }
  }

  @Test
  @DisplayName("each leads to a section of its own in the runbook")
  void runbook() throws IOException {
    String text = Files.readString(RUNBOOK);
    for (JsonNode alert : alerts()) {
      String name = alert.path("alert").asText();
      assertThat(alert.at("/annotations/runbook_url").asText())
          .isEqualTo("docs/operations/troubleshooting.md#" + name.toLowerCase(Locale.ROOT));
      assertThat(text).contains("\n### " + name + "\n");
    }
  }

  @Test
  @DisplayName("and the dashboard speak only of metrics that there are")
  void known() throws IOException {
    var known =
        Arrays.stream(Metric.values())
            .map(Metric::scraped)
            .collect(Collectors.toCollection(TreeSet::new));
    String all = Files.readString(RULES) + String.join("\n", Dashboard.queries());
    var used =
        Pattern.compile("nodekeeper_[a-z_0-9]+")
            .matcher(all)
            .results()
            .map(match -> match.group().replaceFirst("_(bucket|count|sum)$", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(used).isNotEmpty().isSubsetOf(known);
  }
}
