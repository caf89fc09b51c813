package dev.nodekeeper.cli.look;

import static dev.nodekeeper.cli.look.Standings.NONCE;
import static dev.nodekeeper.cli.look.Standings.VISION;
import static dev.nodekeeper.cli.look.Standings.marker;
import static dev.nodekeeper.cli.look.Standings.node;
import static dev.nodekeeper.cli.look.Standings.record;
import static dev.nodekeeper.cli.look.Standings.standing;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.cli.OutputForm;
import dev.nodekeeper.cli.Screen;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.look.Age;
import dev.nodekeeper.look.Printable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

class TextTest {
  private static final Screen PLAIN = new Screen(System.out, System.err, Ansi.OFF);
  private static final Instant NOW = Instant.parse("2026-01-01T00:03:20Z");

  @Test
  @DisplayName("the list is a table, with both counts where the sides differ")
  void list() {
    assertThat(
            ListText.lines(
                List.of(
                    standing(node("u2", 9, Content.EMPTY), record("u1", 5, VISION)),
                    standing(null, record("u1", 5, VISION).storedAs(away(false))),
                    standing(null, record("u1", 5, VISION).storedAs(away(true))),
                    standing(node("u1", 5, Content.EMPTY), null)),
                NOW,
                OutputForm.TABLE,
                PLAIN))
        .containsExactly(
            "NODE     STATE             LABELS   TAINTS   ANNOTATIONS   CAPTURED   AWAY       SIZE",
            "gpu-17   pending-restore   0/1      0/1      0             3m         -          -",
            "gpu-17   away              1        1        0             3m         2m         712",
            "gpu-17   away              1        1        0             3m         2m, kept   712",
            "gpu-17   current           0        0        0             -          -          -");
  }

  private static Origin away(boolean kept) {
    return new Origin("cm", 6, "", 712, NOW.minusSeconds(130).toEpochMilli(), kept);
  }

  @Test
  @DisplayName("one node is shown beside its record, with the verdict and why")
  void show() {
    var standing = standing(node("u2", 9, Content.EMPTY), record("u1", 5, VISION));
    assertThat(ShowText.lines(standing, "nodekeeper", NOW, PLAIN))
        .containsExactly(
            "Node     gpu-17",
            "Record   configmap/gpu-17 in namespace nodekeeper, captured 3m ago",
            "State    pending-restore",
            "Why      The node has returned and still lacks what the record holds: label team,"
                + " taint dedicated:NoSchedule.",
            "         A running controller does that within a second.",
            "",
            "                               ON THE NODE   IN THE RECORD",
            "label   team                   -             vision          only in the record",
            "taint   dedicated:NoSchedule   -             vision          only in the record");
  }

  @Test
  @DisplayName("for programs the same as JSON, with null for what is not there")
  void json() {
    JsonNode json =
        StandingJson.list(List.of(standing(null, record("u1", 5, VISION).storedAs(away(true)))));
    assertThat(json.path(0).path("state").asText()).isEqualTo("away");
    assertThat(json.path(0).path("onNode").isNull()).isTrue();
    assertThat(json.path(0).at("/inRecord/labels/team").asText()).isEqualTo("vision");
    assertThat(json.path(0).at("/inRecord/taints/0/key").asText()).isEqualTo("dedicated");
    assertThat(json.path(0).path("awaySince").asText()).isEqualTo("2026-01-01T00:01:10Z");
    assertThat(json.path(0).path("kept").asBoolean()).isTrue();
    assertThat(json.path(0).path("size").asInt()).isEqualTo(712);
    assertThat(json.path(0).path("capturedAt").asText()).isEqualTo("2026-01-01T00:00:00Z");
  }

  @Test
  @DisplayName("neither the nonce nor a marker is ever shown")
  void secrets() {
    var record = record("u1", 5, VISION);
    String marker = marker(record, "u2");
    var standing = standing(node("u2", 9, Content.EMPTY, marker, false), record);
    String all =
        String.join("\n", ShowText.lines(standing, "nodekeeper", NOW, PLAIN))
            + String.join("\n", ListText.lines(List.of(standing), NOW, OutputForm.WIDE, PLAIN))
            + StandingJson.one(standing);
    assertThat(all).contains("vision").doesNotContain(NONCE, marker, "state.json");
  }

  @Test
  @DisplayName("an escape sequence in an annotation does not reach the terminal, nor does a novel")
  void hostile() {
    assertThat(Printable.of("a\u001b[2Jb\nc\u202e")).isEqualTo("a\\u001b[2Jb\\u000ac\\u202e");
    assertThat(Printable.of("x".repeat(500))).hasSize(63).endsWith("...");
    Content annotated = Content.of(Map.of("l", "\u001b[31m"), List.of(), Map.of(), false);
    var lines = ShowText.lines(standing(node("u1", 5, annotated), null), "nodekeeper", NOW, PLAIN);
    assertThat(String.join("\n", lines)).doesNotContain("\u001b");
  }

  @Test
  @DisplayName("ages are in one unit; no time is a dash")
  void ages() {
    assertThat(Age.of("2026-01-01T00:03:15Z", NOW)).isEqualTo("5s");
    assertThat(Age.of("2026-01-01T00:01:20Z", NOW)).isEqualTo("2m");
    assertThat(Age.of("2025-12-31T20:00:00Z", NOW)).isEqualTo("4h");
    assertThat(Age.of("2025-12-20T20:00:00Z", NOW)).isEqualTo("11d");
    assertThat(Age.of("2026-01-01T01:00:00Z", NOW)).isEqualTo("0s");
    assertThat(Age.of("yesterday", NOW)).isEqualTo("-");
  }
}
