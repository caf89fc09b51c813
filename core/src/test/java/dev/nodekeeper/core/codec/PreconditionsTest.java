package dev.nodekeeper.core.codec;

import static dev.nodekeeper.core.Given.label;
import static dev.nodekeeper.core.Given.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Codec, to the letter")
class PreconditionsTest {

  @Test
  @DisplayName("a patch of a marked node lands only while marker and list are those that were seen")
  void marks() {
    NodeState state = node("u2").annotation("x", "y").marked("2.mac", label("x")).state();
    String body = new RestorePatch(state, Map.of(), "3.mac", "label:y").testedBody();
    assertThat(body)
        .contains(
            "\"op\":\"test\",\"path\":\"/metadata/annotations/nodekeeper.dev~1restored\",\"value\":\"2.mac\"",
            "\"op\":\"test\",\"path\":\"/metadata/annotations/nodekeeper.dev~1withheld\",\"value\":\"label:x\"");
  }

  @Test
  @DisplayName("a label of the marker's name is a label")
  void labelOfThatName() {
    NodeState state = node("u2").label("a", "b").annotation("x", "y").marked("2.mac").state();
    Map<Key, Optional<String>> changes = Map.of(label(NodeState.MARKER), Optional.of("v"));
    assertThat(new RestorePatch(state, changes, "3.mac", "").testedBody())
        .contains(
            "\"op\":\"test\",\"path\":\"/metadata/labels/nodekeeper.dev~1restored\",\"value\":null");
  }

  @ParameterizedTest
  @DisplayName("cordon is true, false, absent, or noted")
  @CsvSource({"true,true,0", "false,false,0", "null,false,0", "'\"yes\"',false,1", "1,false,1"})
  void cordon(String json, boolean cordoned, int notes) {
    NodeRecord record =
        (NodeRecord)
            RecordCodec.read(
                Given.NAME,
                Origin.NONE,
                Map.of(RecordCodec.RECORD, "{\"unschedulable\": " + json + "}"));
    assertThat(record.content().unschedulable()).isEqualTo(cordoned);
    assertThat(record.notes()).hasSize(notes);
  }

  @Test
  @DisplayName(
      "a withheld list of 16,384 characters is written, a longer one stands for everything")
  void longList() {
    List<Key> keys = new ArrayList<>();
    for (int i = 0; i < 63; i++) {
      keys.add(label("k".repeat(246) + (100 + i)));
    }
    // 63 times "label:" and 249 characters, and 62 commas
    assertThat(Marker.list(keys)).hasSize(63 * 255 + 62);
    keys.add(label("k".repeat(250)));
    assertThat(Marker.list(keys)).hasSize(16_384);
    keys.set(63, label("k".repeat(251)));
    assertThat(Marker.list(keys)).isEqualTo("*");
  }

  @Test
  @DisplayName("an error without words is still an error in one line")
  void firstLine() {
    assertThat(Json.firstLine(null)).isEqualTo("unreadable");
    assertThat(Json.firstLine("")).isEqualTo("unreadable");
    assertThat(Json.firstLine("one\ntwo")).isEqualTo("one");
  }
}
