package dev.nodekeeper.it.see;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.it.Running;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.Options;
import dev.nodekeeper.testbed.Patch;
import dev.nodekeeper.testbed.binaries.Binaries;
import dev.nodekeeper.testbed.binaries.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Installed by the commands of our pages, under the rights of our manifests. */
@DisplayName("With a real Prometheus")
final class PrometheusIT {
  private static final String ACCOUNT = "system:serviceaccount:nodekeeper:nodekeeper";
  private static final Path RUNBOOK = Path.of("..", "docs", "operations", "troubleshooting.md");
  private static final String RECORDS = "/api/v1/namespaces/nodekeeper/configmaps/";
  private static final Duration LONG = World.HANG.multipliedBy(3);

  private static ControlPlane plane;
  private static World world;
  private static Prometheus prometheus;
  private static Running keeper;

  @BeforeAll
  static void start() {
    plane = ControlPlane.start(Options.defaults());
    world = new World(plane);
    shell("kubectl apply -f deploy/kustomize/namespace.yaml", "");
    shell("kubectl apply -f deploy/kustomize/base/rbac.yaml", "");
    keeper =
        world.keeper(
            "--namespace=nodekeeper", "--kubeconfig=" + plane.kubeconfig(ACCOUNT), "--shards=2");
    prometheus = Prometheus.start(List.of(keeper.httpPort()));
  }

  @AfterAll
  static void end() throws Exception {
    prometheus.close();
    world.close();
    plane.close();
  }

  private static String shell(String script, String node) {
    Binaries binaries = Binaries.fromEnvironment(System.err::println);
    Map<String, String> environment = new HashMap<>();
    environment.put("KUBECONFIG", plane.adminKubeconfig().toString());
    environment.put("NODE", node);
    environment.put(
        "PATH",
        binaries.path(Tool.KUBECTL).toAbsolutePath().getParent() + ":" + System.getenv("PATH"));
    Shell.Ran ran = Shell.run(environment, "bash", "-euc", script);
    assertThat(ran.code()).as("%s%n%s", script, ran.output()).isZero();
    return ran.output();
  }

  @Test
  @DisplayName("every panel of the dashboard shows something after a few lives")
  void dashboard() throws IOException {
    List<String> queries = Dashboard.queries();
    assertThat(queries).hasSizeGreaterThan(30);
    List<String> without = new ArrayList<>(queries);
    world.register("shown");
    int[] round = {0};
    await("data for all panels")
        .atMost(LONG)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> {
              // Again and again: a rate needs two looks, and something between them.
              String team = "t" + ++round[0];
              world.label("shown", "team", team);
              await("recorded").atMost(World.HANG).until(() -> recorded("shown", team));
              world.vanish("shown");
              world.register("shown");
              world.awaitLabel("shown", "team", team);
              without.removeIf(prometheus::hasData);
              assertThat(without).isEmpty();
            });
    assertThat(prometheus.query("nodekeeper:nodes_current:ratio").size()).isEqualTo(1);
    assertThat(prometheus.hasData("nodekeeper:restores_in_time:ratio_rate5m")).isTrue();
    assertThat(prometheus.hasData("nodekeeper:captures_in_time:ratio_rate5m")).isTrue();
  }

  private static boolean recorded(String node, String text) {
    return world
        .admin
        .get(RECORDS + node)
        .body()
        .path("data")
        .path("record.json")
        .asText()
        .contains("\"" + text + "\"");
  }

  @Test
  @DisplayName("the runbook: each step can be run, and leads from a firing alert to its end")
  void runbook() throws IOException {
    Map<String, List<String>> steps = steps();
    for (String node : List.of("broken", "denied")) {
      world.register(node);
      world.label(node, "team", "a");
      await("recorded").atMost(World.HANG).until(() -> recorded(node, "a"));
    }

    follow(steps, "NodekeeperRecordsUnreadable", "broken", this::breakRecord);
    await("recorded anew").atMost(World.HANG).until(() -> recorded("broken", "a"));
    follow(steps, "NodekeeperRefused", "denied", this::takeRightsAway);
    assertThat(world.labelOf("denied", "team")).isEqualTo("a");

    assertThat(steps.keySet()).hasSize(AlertsIT.alerts().size());
    steps.forEach(
        (alert, blocks) -> {
          assertThat(blocks).as(alert).isNotEmpty();
          blocks.forEach(block -> shell(block, "denied"));
        });
    await("nothing fires").atMost(LONG).until(() -> prometheus.firing().isEmpty());
  }

  private void breakRecord() {
    String broken = "{\"data\": {\"record.json\": \"{ team\"}}";
    world.admin.patch(RECORDS + "broken", Patch.MERGE, broken).expect();
  }

  private void takeRightsAway() {
    shell("kubectl delete clusterrolebinding nodekeeper", "");
    world.vanish("denied");
    world.register("denied");
  }

  private static void follow(
      Map<String, List<String>> steps, String alert, String node, Runnable trouble) {
    assertThat(prometheus.firing()).doesNotContain(alert);
    trouble.run();
    await(alert + " fires").atMost(LONG).until(() -> prometheus.firing().contains(alert));
    StringBuilder said = new StringBuilder();
    steps.get(alert).forEach(block -> said.append(shell(block, node)));
    assertThat(said.toString()).as("what the steps of %s show", alert).contains(node);
    await(alert + " ends").atMost(LONG).until(() -> !prometheus.firing().contains(alert));
  }

  /** The commands of each section that is called like an alert. */
  private static Map<String, List<String>> steps() throws IOException {
    Map<String, List<String>> steps = new TreeMap<>();
    String text = Files.readString(RUNBOOK);
    for (String section : text.split("\n(?=##)")) {
      if (section.startsWith("### Nodekeeper")) {
        String name = section.substring("### ".length(), section.indexOf('\n'));
        List<String> blocks =
            Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL)
                .matcher(section)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
        steps.put(name, blocks);
      }
    }
    return steps;
  }
}
