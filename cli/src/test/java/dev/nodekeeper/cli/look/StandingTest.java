package dev.nodekeeper.cli.look;

import static dev.nodekeeper.cli.look.Standings.VISION;
import static dev.nodekeeper.cli.look.Standings.marker;
import static dev.nodekeeper.cli.look.Standings.node;
import static dev.nodekeeper.cli.look.Standings.record;
import static dev.nodekeeper.cli.look.Standings.standing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.State;
import dev.nodekeeper.core.model.Stored.Defect;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Stored.Unreadable;
import dev.nodekeeper.look.Standing;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StandingTest {
  private static final Unreadable BROKEN =
      new Unreadable("gpu-17", new Origin("cm", 1, ""), Defect.BROKEN, "bad JSON");

  static Stream<Arguments> standings() {
    var edited =
        RecordCodec.read(
            "gpu-17",
            new Origin("cm", 9, ""),
            Map.of("record.json", "{\"labels\": {\"team\": \"audio\"}}"));
    return Stream.of(
        Arguments.of(
            State.CURRENT, standing(node("u1", 5, VISION), record("u1", 5, VISION)), "is what"),
        Arguments.of(
            State.CURRENT, standing(node("u1", 9, VISION), record("u1", 5, VISION)), "is what"),
        Arguments.of(
            State.CURRENT,
            standing(
                node("u2", 9, VISION, marker(record("u1", 5, VISION), "u2"), false),
                record("u1", 5, VISION)),
            "is what"),
        Arguments.of(
            State.PENDING_CAPTURE,
            standing(node("u1", 9, Content.EMPTY), record("u1", 5, VISION)),
            "was changed"),
        Arguments.of(State.PENDING_CAPTURE, standing(node("u1", 9, VISION), null), "no record yet"),
        Arguments.of(
            State.PENDING_RESTORE,
            standing(node("u2", 9, Content.EMPTY), record("u1", 5, VISION)),
            "lacks what the record holds: label team, taint dedicated:NoSchedule."),
        Arguments.of(
            State.PENDING_RESTORE,
            standing(node("u2", 9, VISION), record("u1", 5, VISION)),
            "only the mark"),
        Arguments.of(State.PENDING_RESTORE, standing(node("u1", 5, VISION), edited), "by hand"),
        Arguments.of(State.AWAY, standing(null, record("u1", 5, VISION)), "when it returns"),
        Arguments.of(
            State.CURRENT,
            standing(node("u2", 9, Content.EMPTY, null, true), record("u1", 5, VISION)),
            "being deleted"),
        Arguments.of(State.REFUSED, standing(node("u1", 5, VISION), BROKEN), "bad JSON"),
        Arguments.of(State.REFUSED, standing(null, BROKEN), "repair or delete"),
        Arguments.of(State.CURRENT, standing(node("u1", 5, Content.EMPTY), null), "Nobody"));
  }

  @ParameterizedTest
  @MethodSource("standings")
  @DisplayName("what the core would do is the state, and why is a sentence")
  void states(State state, Standing standing, String why) {
    assertThat(standing.state()).isEqualTo(state);
    assertThat(standing.why()).contains(why).endsWith(".");
  }

  @Test
  @DisplayName("keys that are left out on purpose are in step, and named")
  void withheld() {
    // Not kept by the policy of this look.
    Key rack = Key.annotation("rack");
    Content both = Content.of(new TreeMap<>(Map.of(Key.label("team"), "vision", rack, "7")));
    Content one = Content.of(Map.of("team", "vision"), List.of());
    var standing = standing(node("u1", 5, one), record("u1", 5, both, Set.of(rack)));
    assertThat(standing.state()).isEqualTo(State.CURRENT);
    assertThat(standing.withheld()).containsExactly(rack);
    assertThat(standing.remark(rack)).isEqualTo("withheld");
    assertThat(standing.why()).contains("annotation rack");
  }

  @Test
  @DisplayName("each key says how its two sides compare")
  void remarks() {
    Content left = Content.of(Map.of("a", "1", "b", "1", "c", "1"), List.of());
    Content right = Content.of(Map.of("b", "1", "c", "2", "d", "1"), List.of());
    var standing = standing(node("u2", 9, left), record("u1", 5, right));
    assertThat(standing.keys()).extracting(Key::name).containsExactly("a", "b", "c", "d");
    assertThat(standing.keys())
        .extracting(standing::remark)
        .containsExactly("only on the node", "", "differs", "only in the record");
  }
}
