package dev.nodekeeper.core.model;

import static dev.nodekeeper.core.Given.label;
import static dev.nodekeeper.core.Given.things;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given;
import dev.nodekeeper.core.Given.Things;
import dev.nodekeeper.core.model.NodeRecord.Draft;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("How new a record's word on a key is")
class WordsTest {

  private static NodeRecord next(NodeRecord record, long rv, Things content) {
    return next(record, rv, content, Map.of());
  }

  private static NodeRecord next(
      NodeRecord record, long rv, Things content, Map<Key, Long> touched) {
    Draft draft = new Draft(content.content(), "u", rv, Identity.NONE, Set.of(), touched);
    return record.next(draft, Given.nonce(rv), "now", 4);
  }

  @Test
  @DisplayName("as the first version, until the key changes; of a touch, as the touch")
  void words() {
    NodeRecord first = next(NodeRecord.none("n"), 10, things().label("a", "1").label("b", "1"));
    assertThat(first.wordOn(label("a"))).isEqualTo(10);
    assertThat(first.wordOn(label("never"))).as("nothing is known of it").isZero();

    NodeRecord second = next(first, 20, things().label("a", "2").label("b", "1"));
    assertThat(second.wordOn(label("a"))).isEqualTo(20);
    assertThat(second.wordOn(label("b"))).isEqualTo(10);

    NodeRecord third =
        next(second, 30, things().label("a", "3").label("b", "1"), Map.of(label("a"), 25L));
    assertThat(third.wordOn(label("a"))).isEqualTo(25);
  }

  @Test
  @DisplayName("also on a key that was removed; of very many only the newest are told apart")
  void removed() {
    Things all = things();
    for (int i = 0; i < 40; i++) {
      all.label("k" + i, "1");
    }
    NodeRecord record = next(NodeRecord.none("n"), 10, all);
    for (int i = 0; i < 40; i++) {
      Things fewer = things();
      for (int j = i + 1; j < 40; j++) {
        fewer.label("k" + j, "1");
      }
      record = next(record, 100 + i, fewer);
    }
    assertThat(record.wordOn(label("k39"))).isEqualTo(139);
    assertThat(record.wordOn(label("k8"))).isEqualTo(108);
    // Older ones share the newest word of theirs: never taken for older than they are.
    assertThat(record.wordOn(label("k7"))).isEqualTo(107);
    assertThat(record.wordOn(label("k0"))).isEqualTo(107);
    assertThat(record.words().keys()).hasSize(32);
  }

  @Test
  @DisplayName("as nothing at all when history was lost: the next view is newer")
  void withoutGuard() {
    NodeRecord record =
        next(next(NodeRecord.none("n"), 10, things()), 20, things().label("a", "1"));
    NodeRecord afresh = record.withoutGuard();
    assertThat(afresh.wordOn(label("a"))).isZero();
    assertThat(afresh.rv()).isZero();
    assertThat(afresh.versions()).allMatch(version -> version.rv() == 0).hasSize(1);
    assertThat(afresh.generation()).isEqualTo(2);
    assertThat(afresh.uid()).isEqualTo("u");
    assertThat(afresh.content()).isEqualTo(record.content());
    assertThat(NodeRecord.none("n").withoutGuard()).isEqualTo(NodeRecord.none("n"));
  }
}
