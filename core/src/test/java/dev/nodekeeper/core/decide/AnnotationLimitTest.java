package dev.nodekeeper.core.decide;

import static dev.nodekeeper.core.Given.annotation;
import static dev.nodekeeper.core.Given.keepEverything;
import static dev.nodekeeper.core.Given.label;
import static dev.nodekeeper.core.Given.node;
import static dev.nodekeeper.core.Given.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given.Node;
import dev.nodekeeper.core.decide.Decision.Nothing;
import dev.nodekeeper.core.decide.Decision.Restore;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.policy.Rules;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A restore never brings a node's annotations over 256 KiB")
class AnnotationLimitTest {
  /** What marker and withheld list may take. */
  private static final int OURS = 20_000;

  private static Restore restore(Node node, NodeRecord record) {
    Node kept = node.under(keepEverything());
    return (Restore)
        Decider.decide(kept.registered().view(), Optional.of(record), keepEverything());
  }

  @Test
  @DisplayName("to the byte, with those that are there: what fits is restored")
  void fits() {
    int there = 100_000;
    int room = Rules.ANNOTATIONS_MAX_BYTES - OURS - there - "note".length();
    NodeRecord fitting = record().annotation("note", "n".repeat(room)).label("a", "b").build();
    Restore all = restore(node("u2").annotationBytes(there), fitting);
    assertThat(all.changes()).containsKeys(annotation("note"), label("a"));
    assertThat(all.withheld()).isEmpty();

    NodeRecord over = record().annotation("note", "n".repeat(room + 1)).label("a", "b").build();
    Restore less = restore(node("u2").annotationBytes(there), over);
    assertThat(less.changes()).containsOnlyKeys(label("a"));
    assertThat(less.withheld()).containsExactly(annotation("note"));
  }

  @Test
  @DisplayName("the largest go first, and only as many as must")
  void largestFirst() {
    NodeRecord record =
        record()
            .annotation("a-small", "s".repeat(10))
            .annotation("b-large", "l".repeat(150_000))
            .annotation("c-middle", "m".repeat(120_000))
            .build();
    Restore restore = restore(node("u2"), record);
    assertThat(restore.withheld()).containsExactly(annotation("b-large"));
    assertThat(restore.changes()).containsOnlyKeys(annotation("a-small"), annotation("c-middle"));
    assertThat(restore.target().get(annotation("b-large"))).isNull();
  }

  @Test
  @DisplayName("where a record has only what no node can take, a bare node gets no trace of us")
  void noTrace() {
    NodeRecord record = record().label("bad key", "x").build();
    assertThat(
            Decider.decide(node("u2").registered().view(), Optional.of(record), keepEverything()))
        .isInstanceOf(Nothing.class);
  }
}
