package dev.nodekeeper.core.decide;

import static dev.nodekeeper.core.Given.label;
import static dev.nodekeeper.core.Given.marker;
import static dev.nodekeeper.core.Given.node;
import static dev.nodekeeper.core.Given.record;
import static dev.nodekeeper.core.Given.things;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given;
import dev.nodekeeper.core.Given.Seen;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.policy.Policy;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Replica A lost its watch: its re-list buries u2 at the last revision it saw (20) and merges it.
 * Replica B has the real DELETED of u2, one revision later. The record then holds u2's uid, but u2
 * was never restored: what it lacks was not removed by anybody.
 */
@DisplayName("A merge of a life that was never restored")
class MergedOnceTest {

  @Test
  @DisplayName("does not turn a later sight of that life's end into a capture that erases the rest")
  void laterSightOfTheSameEnd() {
    NodeRecord before = record().gen(1).uid("u1").rv(5).taint("quarantine", "full").build();
    Seen relisted = node("u2").rv(18).registered().then(n -> n.label("x", "1")).deleted();
    Decision.Write write =
        (Decision.Write) Decider.decide(relisted.view(), Optional.of(before), Policy.DEFAULT);
    NodeRecord merged = before.next(write.draft(), Given.nonce(2), "now", 4);
    assertThat(merged.content())
        .isEqualTo(things().label("x", "1").taint("quarantine", "full").content());
    Seen seen = node("u2").rv(19).registered().then(n -> n.label("x", "1")).deleted();
    assertThat(seen.state().rv()).isEqualTo(21);
    assertThat(Decider.decide(seen.view(), Optional.of(merged), Policy.DEFAULT))
        .isInstanceOf(Decision.Nothing.class);
  }

  @Test
  @DisplayName("is completed by a replica that saw more of the same life, up to the same end")
  void sawMore() {
    NodeRecord before = record().gen(1).uid("u1").rv(5).label("team", "old").build();
    Seen part = node("u2").rv(18).registered().then(n -> n.label("x", "1")).deleted();
    NodeRecord merged = merge(part, before);
    Seen whole =
        node("u2")
            .rv(16)
            .registered()
            .then(n -> n.label("team", "passing"))
            .then(n -> n.without("team"))
            .then(n -> n.label("x", "1"))
            .deleted();
    assertThat(whole.state().rv()).isEqualTo(part.state().rv());
    assertThat(merge(whole, merged).content()).isEqualTo(things().label("x", "1").content());
  }

  @Test
  @DisplayName("does not undo what was said again in a later life, in the same words")
  void saidAgain() {
    NodeRecord before = record().gen(1).uid("u1").rv(5).label("team", "a").build();
    Seen later =
        node("u3")
            .rv(20)
            .label("team", "a")
            .marked(marker(1, "u3"))
            .found()
            .beside(before)
            .then(n -> n.without("team"))
            .then(n -> n.label("team", "a"))
            .then(n -> n.label("x", "1"));
    NodeRecord captured = merge(later, before);
    Seen late = node("u2").rv(9).label("team", "k").registered().then(n -> n.without("team"));
    assertThat(Decider.decide(late.deleted().view(), Optional.of(captured), Policy.DEFAULT))
        .isInstanceOf(Decision.Nothing.class);
    assertThat(captured.wordOn(label("team"))).isEqualTo(22);
  }

  private static NodeRecord merge(Seen seen, NodeRecord record) {
    Decision.Write write =
        (Decision.Write) Decider.decide(seen.view(), Optional.of(record), Policy.DEFAULT);
    return record.next(write.draft(), Given.nonce(record.generation() + 1), "now", 4);
  }
}
