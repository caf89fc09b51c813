package dev.nodekeeper.cli;

import static dev.nodekeeper.cli.Bed.golden;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.nodekeeper.testbed.Patch;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

/** A fleet with one node in each state, and nobody who changes it. */
@DisplayName("Commands that look, on a real API server, word for word")
final class LookIT {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Bed BED = new Bed();

  @BeforeAll
  static void fleet() throws Exception {
    try (var _ = BED.keeper()) {
      for (String name : new String[] {"changed", "gone", "same", "torn"}) {
        BED.register(name);
        BED.merge(
            name,
            """
            {"metadata": {"labels": {"team": "vision"}},
             "spec": {"taints": [{"key": "dedicated", "value": "vision", "effect": "NoSchedule"}]}}
            """);
        BED.awaitRecord(name, "dedicated");
      }
      BED.register("bare");
      BED.delete("gone");
    }
    // With nobody there to follow.
    BED.merge("changed", "{\"metadata\":{\"labels\":{\"team\":\"audio\",\"disk\":\"nvme\"}}}");
    BED.merge("changed", "{\"spec\":{\"taints\":null}}");
    BED.admin
        .patch(BED.records() + "/torn", Patch.MERGE, "{\"data\":{\"record.json\":\"{\"}}")
        .expect();
  }

  @AfterAll
  static void end() throws Exception {
    BED.close();
  }

  private static void same(String name, Typed typed) throws Exception {
    assertThat(typed.err()).isEmpty();
    golden(name, typed.out());
  }

  @Test
  void list() throws Exception {
    same("list", BED.type("list"));
    same("list-wide", BED.type("list", "-o", "wide"));
    same("list-json", BED.type("list", "-o", "json"));
    same("list-yaml", BED.type("list", "-o", "yaml"));
    same("list-name", BED.type("list", "-o", "name"));
  }

  @Test
  @DisplayName("selectors are the server's for nodes, and ours for records of nodes that are away")
  void selected() {
    assertThat(BED.type("list", "-o", "name", "-l", "team=vision").out().lines())
        .containsExactly("node/gone", "node/same", "node/torn");
    assertThat(BED.type("list", "-o", "name", "-l", "team notin (vision,audio)").out().lines())
        .containsExactly("node/bare");
    assertThat(BED.type("list", "-o", "name", "--state", "away,pending-capture").out().lines())
        .containsExactly("node/changed", "node/gone");
    assertThat(BED.type("list", "-l", "a=b=c").exitCode()).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(BED.type("list", "--state", "fine").exitCode()).isEqualTo(ExitCode.BAD_USAGE);
  }

  @Test
  void show() throws Exception {
    for (String name : new String[] {"changed", "gone", "same", "torn", "bare"}) {
      same("show-" + name, BED.type("show", name));
    }
    same("show-yaml", BED.type("show", "node/changed", "-o", "yaml"));
  }

  @Test
  @DisplayName("diff says who set what, and a script sees whether there is any")
  void diff() throws Exception {
    Typed changed = BED.type("diff", "changed");
    assertThat(changed.exitCode()).isEqualTo(ExitCode.ATTENTION);
    same("diff", changed);
    same("diff-all", BED.type("diff", "changed", "--all"));
    same("diff-json", BED.type("diff", "same", "--all", "-o", "json"));
    Typed none = BED.type("diff", "same");
    assertThat(none.exitCode()).isZero();
    same("diff-none", none);
  }

  @Test
  @DisplayName("plan says what a fresh start would do, and a fresh start does that")
  void plan() throws Exception {
    same("plan", BED.type("plan"));
    JsonNode json = JSON.readTree(BED.type("plan", "-o", "json").out());
    assertThat(json.path("capture").asInt()).isEqualTo(1);
    assertThat(json.path("refuse").asInt()).isEqualTo(1);
    assertThat(json.path("restore").asInt()).isZero();
  }

  @Test
  @DisplayName("doctor finds what is wrong, and says how to fix it")
  void doctor() throws Exception {
    Typed found = BED.type("doctor");
    assertThat(found.exitCode()).isEqualTo(ExitCode.ATTENTION);
    assertThat(found.out())
        .containsPattern("ok +version +Kubernetes v1")
        .containsPattern("ok +clock ")
        .containsPattern("ok +rights +you may get, list, watch, patch nodes")
        .containsPattern("ok +watch ")
        .containsPattern("fix +lease +nobody renews")
        .containsPattern("fix +records +1 of 4 cannot be read: torn")
        .contains("-> nodekeeper show NODE says why");
    Typed other = BED.type("doctor", "--account", "system:serviceaccount:nowhere:nobody");
    assertThat(other.out())
        .contains("system:serviceaccount:nowhere:nobody may not get, list, watch, patch nodes");
  }

  @Test
  void top() throws Exception {
    same("top", BED.type("top", "--seconds", "0"));
    Thread changes =
        Thread.ofVirtual()
            .start(
                () -> {
                  for (int i = 0; i < 40; i++) {
                    BED.label("same", "churn", "v" + i);
                  }
                });
    Typed top = BED.type("top", "--seconds", "3", "--rows", "1", "-o", "json");
    changes.join();
    JsonNode first = JSON.readTree(top.out()).path(0);
    assertThat(first.path("node").asText()).isEqualTo("same");
    assertThat(first.path("changed").asInt()).isPositive();
    BED.merge("same", "{\"metadata\":{\"labels\":{\"churn\":null}}}");
  }

  @Test
  @DisplayName("list --watch goes on, with a line whenever a node changes")
  void watch() throws Exception {
    var out = new ByteArrayOutputStream();
    var screen =
        new Screen(new PrintStream(out, true, StandardCharsets.UTF_8), System.err, Ansi.OFF);
    Thread watching =
        Thread.ofPlatform()
            .start(
                () ->
                    Commands.line(screen, Map.of())
                        .execute(
                            "list",
                            "--watch",
                            "--kubeconfig=" + BED.plane.adminKubeconfig(),
                            "--namespace=" + BED.namespace));
    try {
      await().atMost(Bed.HANG).until(() -> out.toString(StandardCharsets.UTF_8).contains("torn"));
      BED.register("late");
      await().atMost(Bed.HANG).until(() -> out.toString(StandardCharsets.UTF_8).contains("late"));
      assertThat(
              out.toString(StandardCharsets.UTF_8).lines().filter(line -> line.startsWith("same")))
          .hasSize(1);
    } finally {
      watching.interrupt();
      watching.join();
      BED.delete("late");
    }
  }
}
