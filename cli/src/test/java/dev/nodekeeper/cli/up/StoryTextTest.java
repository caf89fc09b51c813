package dev.nodekeeper.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Taint;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StoryTextTest {

  private static NodeState node(String uid, Content content) {
    return new NodeState(
        "n", uid, 1, false, content, List.of(), null, null, Identity.NONE, true, true, 0);
  }

  @Test
  @DisplayName("a return is shown as before, as it came back, now, and how long it took")
  void homecoming() {
    Content content =
        Content.of(Map.of("team", "vision", "gpu", ""), List.of(new Taint("d", "v", "NoSchedule")));
    var homecoming =
        new Homecoming(
            node("aaaaaaaa-1", content),
            node("bbbbbbbb-2", Content.EMPTY),
            node("bbbbbbbb-2", content),
            Duration.ofMillis(31));
    assertThat(HomecomingText.lines(homecoming))
        .containsExactly(
            "                     BEFORE     AS IT CAME BACK   NOW",
            "uid                  aaaaaaaa   bbbbbbbb          bbbbbbbb",
            "label gpu            \"\"         -                 \"\"",
            "label team           vision     -                 vision",
            "taint d:NoSchedule   v          -                 v",
            "",
            "Restored 31 ms after its Node was created.");
  }

  @Test
  @DisplayName("the record is shown without our bookkeeping, however kubectl folds it")
  void record() {
    List<String> yaml =
        """
        apiVersion: v1
        data:
          record.json: |
            {
              "node": "n"
            }
          state.json: '{"schema":1,
            "nonce":"secret",

            "uid":"u"}'
          zebra: kept
        kind: ConfigMap
        """
            .lines()
            .toList();
    assertThat(RecordYaml.withoutState(yaml))
        .containsExactly(
            "apiVersion: v1",
            "data:",
            "  record.json: |",
            "    {",
            "      \"node\": \"n\"",
            "    }",
            "  state.json: ...   # our bookkeeping",
            "  zebra: kept",
            "kind: ConfigMap");
  }
}
