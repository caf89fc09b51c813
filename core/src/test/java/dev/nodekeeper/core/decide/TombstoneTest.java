package dev.nodekeeper.core.decide;

import static dev.nodekeeper.core.Given.annotation;
import static dev.nodekeeper.core.Given.label;
import static dev.nodekeeper.core.Given.marker;
import static dev.nodekeeper.core.Given.node;
import static dev.nodekeeper.core.Given.record;
import static dev.nodekeeper.core.Given.things;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given;
import dev.nodekeeper.core.Given.Seen;
import dev.nodekeeper.core.Given.Things;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.policy.Policy;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A tombstone of an incarnation that its record does not know")
class TombstoneTest {

  /**
   * @param merged what the record says afterwards; null when it is left as it is
   */
  record Case(String says, NodeRecord record, Seen seen, @Nullable Things merged) {
    @Override
    public String toString() {
      return says;
    }
  }

  private static Seen touched(String uid, long rv, String value) {
    return node(uid).rv(rv).registered().then(n -> n.label("x", value)).deleted();
  }

  static Stream<Case> cases() {
    NodeRecord moved =
        record()
            .gen(2)
            .uid("u3")
            .rv(50)
            .label("x", "new")
            .older(1, "u1", 5, things().label("x", "old"))
            .build();
    NodeRecord same =
        record()
            .gen(2)
            .uid("u3")
            .rv(50)
            .label("x", "old")
            .label("y", "1")
            .older(1, "u1", 5, things().label("x", "old"))
            .build();
    return Stream.of(
        new Case(
            "newer: its touched keys win", moved, touched("u4", 60, "p"), things().label("x", "p")),
        new Case(
            "newer: a touched removal wins",
            moved,
            node("u4").rv(60).label("x", "k").registered().then(n -> n.without("x")).deleted(),
            things()),
        new Case(
            "newer, found in a list: what was there stands, what was absent is no removal",
            same,
            node("u4").rv(60).label("x", "p").found().deleted(),
            things().label("x", "p").label("y", "1")),
        new Case(
            "late: where the record has not changed since, it is merged",
            same,
            touched("u2", 20, "p"),
            things().label("x", "p").label("y", "1")),
        new Case(
            "late: where the record changed since, the record wins",
            moved,
            touched("u2", 20, "p"),
            null),
        new Case(
            "late: where the record changed and changed back since, the record wins too",
            record()
                .gen(3)
                .uid("u4")
                .rv(70)
                .older(2, "u3", 50, things().label("x", "between"))
                .older(1, "u1", 5, things())
                .build(),
            touched("u2", 20, "p"),
            null),
        new Case(
            "late, and what the record said then is no longer known: the record wins",
            record()
                .gen(7)
                .uid("u9")
                .rv(70)
                .older(6, "u8", 60, things())
                .older(5, "u7", 50, things())
                .build(),
            touched("u2", 20, "p"),
            null),
        new Case(
            "late, and the record's word came from a younger tombstone: that stands",
            record()
                .gen(2)
                .uid("")
                .rv(50)
                .label("x", "old")
                .late(label("x"), 21)
                .older(1, "u1", 5, things().label("x", "old"))
                .build(),
            touched("u2", 20, "p"),
            null),
        new Case(
            "late, of an incarnation that an older version holds, not newer than that: settled",
            record()
                .gen(2)
                .uid("u3")
                .rv(50)
                .label("x", "new")
                .older(1, "u2", 30, things().label("x", "old"))
                .build(),
            touched("u2", 20, "p"),
            null),
        new Case(
            "late, of an incarnation that an older version holds, with a word newer than the record's",
            record()
                .gen(3)
                .uid("")
                .rv(50)
                .label("x", "late")
                .late(label("x"), 10)
                .older(2, "u2", 22, things())
                .older(1, "u2", 18, things())
                .build(),
            node("u2")
                .rv(19)
                .registered()
                .then(n -> n.label("x", "p"))
                .then(n -> n.without("x"))
                .deleted(),
            things()),
        new Case(
            "late, and an older version holds a later view of the same life: that one knew better",
            record()
                .gen(3)
                .uid("")
                .rv(50)
                .label("y", "1")
                .older(2, "u2", 30, things())
                .older(1, "u2", 18, things().taint("t", "1"))
                .build(),
            touched("u2", 20, "p"),
            null),
        new Case(
            "restored before by an older version: only what differs from that is the person's",
            record()
                .gen(2)
                .uid("u3")
                .rv(15)
                .label("x", "new")
                .label("y", "new")
                .older(1, "u1", 5, things().label("x", "old").label("y", "old"))
                .build(),
            node("u2")
                .rv(20)
                .label("x", "old")
                .label("y", "mine")
                .marked(marker(1, "u2"))
                .found()
                .deleted(),
            things().label("x", "new").label("y", "mine")),
        new Case(
            "a replayed marker of another incarnation proves nothing",
            same,
            node("u4").rv(60).marked(marker(2, "u3")).registered().deleted(),
            null));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  @DisplayName("gives what its people touched, and only that")
  void merges(Case c) {
    Decision decision = Decider.decide(c.seen().view(), Optional.of(c.record()), Policy.DEFAULT);
    if (c.merged() == null) {
      assertThat(decision).isInstanceOf(Decision.Nothing.class);
      return;
    }
    assertThat(decision).isInstanceOf(Decision.Write.class);
    Decision.Write write = (Decision.Write) decision;
    assertThat(write.draft().content()).isEqualTo(c.merged().content());
    boolean late = c.seen().state().rv() <= c.record().rv();
    assertThat(write.cause()).isEqualTo(late ? Decision.Cause.LATE_MERGE : Decision.Cause.MERGE);
    assertThat(write.draft().uid()).as("bound to nobody").isEmpty();
    assertThat(write.draft().rv()).isEqualTo(late ? c.record().rv() : c.seen().state().rv());
    assertThat(write.draft().touched()).isNotEmpty();
    assertThat(write.draft().touched().values()).allMatch(rv -> rv <= c.seen().state().rv());
  }

  @Test
  @DisplayName(
      "does not take our own restore for a person's word when its version is dropped since")
  void versionDropped() {
    NodeRecord then = record().gen(1).uid("u1").rv(5).taint("t", "old").build();
    Seen seen =
        node("u2")
            .rv(10)
            .registered()
            .then(n -> n.taint("t", "old").marked(marker(1, "u2")))
            .beside(then)
            .deleted();
    NodeRecord now =
        record()
            .gen(7)
            .uid("")
            .rv(9)
            .taint("t", "new")
            .older(6, "", 8, things().taint("t", "other"))
            .build();
    assertThat(Decider.decide(seen.view(), Optional.of(now), Policy.DEFAULT))
        .isInstanceOf(Decision.Nothing.class);
  }

  @Test
  @DisplayName("... nor what it was found with, when our marker was on it already")
  void versionDroppedAndFound() {
    NodeRecord then = record().gen(1).uid("u1").rv(5).label("team", "old").build();
    NodeRecord now =
        record()
            .gen(7)
            .uid("")
            .rv(9)
            .label("team", "new")
            .older(6, "", 8, things().label("team", "other"))
            .build();
    Seen restored =
        node("u2").rv(10).label("team", "old").marked(marker(1, "u2")).found().beside(then);
    assertThat(Decider.decide(restored.deleted().view(), Optional.of(now), Policy.DEFAULT))
        .isInstanceOf(Decision.Nothing.class);
    // A marker that nothing proves, or that came later, explains nothing.
    Seen forged = node("u2").rv(10).label("team", "old").marked(marker(1, "other")).found();
    assertThat(
            Decider.decide(forged.beside(then).deleted().view(), Optional.of(now), Policy.DEFAULT))
        .isInstanceOf(Decision.Write.class);
    Seen later = node("u2").rv(10).label("team", "old").found();
    later.then(n -> n.marked(marker(1, "u2"))).beside(then);
    assertThat(Decider.decide(later.deleted().view(), Optional.of(now), Policy.DEFAULT))
        .isInstanceOf(Decision.Write.class);
  }

  @Test
  @DisplayName("does not erase what a restore had withheld")
  void withheld() {
    NodeRecord record =
        record()
            .gen(4)
            .uid("")
            .rv(9)
            .label("team", "b")
            .annotation("note", "n")
            .older(3, "u1", 5, things().label("team", "a").annotation("note", "n"))
            .build();
    Seen seen =
        node("u2")
            .rv(20)
            .label("team", "mine")
            .marked(marker(3, "u2", annotation("note")), annotation("note"))
            .found()
            .deleted();
    Decision.Write write =
        (Decision.Write) Decider.decide(seen.view(), Optional.of(record), Policy.DEFAULT);
    assertThat(write.draft().content())
        .isEqualTo(things().label("team", "mine").annotation("note", "n").content());
    assertThat(write.draft().content().get(label("team"))).isEqualTo("mine");
  }

  @Test
  @DisplayName("... nor when the version that its marker names is dropped since")
  void withheldAndVersionDropped() {
    NodeRecord then = record().gen(1).uid("u1").rv(5).annotation("note", "n").build();
    Seen seen =
        node("u2")
            .rv(20)
            .registered()
            .then(n -> n.marked(marker(1, "u2", annotation("note")), annotation("note")))
            .beside(then)
            .deleted();
    NodeRecord now =
        record()
            .gen(6)
            .uid("")
            .rv(21)
            .annotation("note", "newer")
            .late(annotation("note"), 9)
            .older(2, "u2", 21, things().annotation("note", "n"))
            .build();
    assertThat(Decider.decide(seen.view(), Optional.of(now), Given.keepEverything()))
        .isInstanceOf(Decision.Nothing.class);
  }
}
