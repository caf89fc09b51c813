package dev.nodekeeper.core.keep;

import static dev.nodekeeper.core.Given.label;
import static dev.nodekeeper.core.Given.node;
import static dev.nodekeeper.core.Given.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Stored.Defect;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Stored.Unreadable;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("What the Keeper tells people")
class TellingTest {

  @ParameterizedTest
  @EnumSource(Reason.class)
  @DisplayName("every reason has a CamelCase word and a meaning; what needs a person is an event")
  void reasons(Reason reason) {
    assertThat(reason.word().toUpperCase(java.util.Locale.ROOT))
        .isEqualTo(reason.name().replace("_", ""));
    assertThat(reason.meaning()).isNotBlank();
    assertThat(reason.event())
        .isEqualTo(reason.level() == Reason.Level.WARNING || reason == Reason.RESTORED);
  }

  @Test
  @DisplayName("warnings and notices are told apart")
  void levels() {
    assertThat(Reason.RECORD_UNREADABLE.event()).isTrue();
    assertThat(Reason.CAPTURED.event()).isFalse();
    assertThat(Reason.RETRY.level()).isEqualTo(Reason.Level.DETAIL);
  }

  @Test
  @DisplayName("keys are named, but not more than fit into a line or two")
  void names() {
    assertThat(Outbox.names(List.of(label("a"), label("b")))).isEqualTo("label:a, label:b");
    Set<Key> many = new TreeSet<>();
    for (int i = 100; i < 200; i++) {
      many.add(label("key-" + i));
    }
    assertThat(Outbox.names(many)).hasSize(503).startsWith("label:key-100, ").endsWith("...");
    Key longest = label("x".repeat(500 - "label:".length()));
    assertThat(Outbox.names(Set.of(longest))).hasSize(500).endsWith("x");
  }

  @Test
  @DisplayName("nodes, records, unreadable ones and nodes with withheld keys are counted")
  void counts() {
    Unreadable bad = new Unreadable("bad", new Origin("cm", 3, ""), Defect.BROKEN, "bad JSON");
    var held = node("u1").rv(5).label("team", "a").marked("1.x", label("held")).state();
    var other = node("u2").name("other").rv(6).state();
    Driver k =
        Driver.started(
            6, List.of(held, other), List.of(bad, record().uid("u1").label("team", "a").build()));
    assertThat(k.counts())
        .extracting(
            Counts::nodes,
            Counts::records,
            Counts::tombstones,
            Counts::withheld,
            Counts::unreadable,
            Counts::orphans,
            Counts::size,
            Counts::largest,
            Counts::waitingMillis)
        .containsExactly(2, 1, 0, 1, 1, 0, 0L, 0, 0L);
  }

  @Test
  @DisplayName("the same thing is told once, whatever else was told in between")
  void once() {
    Slot slot = new Slot("n1");
    for (int i = 0; i < 16; i++) {
      assertThat(slot.once().firstTime("message " + i)).isTrue();
    }
    assertThat(slot.once().firstTime("message 3")).isFalse();
    assertThat(slot.once().firstTime("one more")).isTrue();
  }
}
