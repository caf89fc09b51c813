package dev.nodekeeper.core.decide;

import static dev.nodekeeper.core.Given.annotation;
import static dev.nodekeeper.core.Given.identityByProvider;
import static dev.nodekeeper.core.Given.keepEverything;
import static dev.nodekeeper.core.Given.label;
import static dev.nodekeeper.core.Given.marker;
import static dev.nodekeeper.core.Given.node;
import static dev.nodekeeper.core.Given.onConflictRecord;
import static dev.nodekeeper.core.Given.onlyLabels;
import static dev.nodekeeper.core.Given.record;
import static dev.nodekeeper.core.Given.taint;
import static dev.nodekeeper.core.Given.things;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given.Seen;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Taint;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.core.policy.Policy.IdentityBy;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A restore")
class WhoWinsTest {

  @Test
  @DisplayName("A withheld list without a proven marker holds nothing back")
  void forgedList() {
    NodeRecord remembered = record().gen(1).uid("u1").rv(5).label("team", "a").build();
    Seen bare = node("u2").rv(8).marked(null, label("team")).registered();
    assertThat(restore(bare, remembered, Policy.DEFAULT).changes())
        .isEqualTo(Map.of(label("team"), Optional.of("a")));
    Seen forged = node("u2").rv(8).marked("1.forged", label("team")).registered();
    assertThat(restore(forged, remembered, Policy.DEFAULT).changes())
        .isEqualTo(Map.of(label("team"), Optional.of("a")));
  }

  @Test
  @DisplayName(
      "A quarantine wins over the kubelet's own weaker taint, even restored a version late")
  void quarantineAVersionLate() {
    NodeRecord quarantined =
        record().gen(2).uid("u1").rv(6).taint("q", "full").older(1, "u1", 5, things()).build();
    Seen seen =
        node("u2")
            .rv(8)
            .taint("q", "weak")
            .registered()
            .then(n -> n.marked(marker(1, "u2")))
            .beside(quarantined);
    Decision decision = Decider.decide(seen.view(), Optional.of(quarantined), Policy.DEFAULT);
    assertThat(decision).isInstanceOf(Decision.Restore.class);
    assertThat(((Decision.Restore) decision).changes())
        .containsExactly(Map.entry(taint("q"), Optional.of("full")));
  }

  @Test
  @DisplayName(
      "A capture by a process that keeps less does not hide what we saw at the same revision")
  void narrowerWriter() {
    NodeRecord byTaintsOnly =
        record().gen(2).uid("u1").rv(9).older(1, "u1", 5, things().taint("t", "1")).build();
    Seen seen = node("u1").rv(8).label("team", "a").found().deleted();
    assertThat(seen.state().rv()).isEqualTo(9);
    Decision decision = Decider.decide(seen.view(), Optional.of(byTaintsOnly), Policy.DEFAULT);
    assertThat(decision).isInstanceOf(Decision.Write.class);
    assertThat(((Decision.Write) decision).draft().content())
        .isEqualTo(things().label("team", "a").content());
  }

  private static final String ROLE = "node-role.kubernetes.io/gpu";

  record Case(
      String says,
      Policy policy,
      NodeRecord record,
      Seen seen,
      Map<Key, Optional<String>> changes) {
    @Override
    public String toString() {
      return says;
    }
  }

  private static Map<Key, Optional<String>> set(Key key, String value) {
    return Map.of(key, Optional.of(value));
  }

  static Stream<Case> cases() {
    NodeRecord a = record().label("team", "a").build();
    NodeRecord t = record().taint("dedicated", "a").build();
    NodeRecord note = record().annotation("note", "a").build();
    NodeRecord cordon = record().cordon().build();
    Policy node = Policy.DEFAULT;
    Policy all = keepEverything();
    return Stream.of(
        new Case(
            "a label that the node registered with stays",
            node,
            a,
            node("u2").label("team", "b").registered(),
            Map.of()),
        new Case(
            "on-conflict record: it is overwritten",
            onConflictRecord(),
            a,
            node("u2").label("team", "b").registered(),
            set(label("team"), "a")),
        new Case(
            "on-conflict record: but not what a person changed since registration",
            onConflictRecord(),
            a,
            node("u2").label("team", "b").registered().then(n -> n.label("team", "c")),
            Map.of()),
        new Case(
            "on-conflict record, unknown registration: present labels stand",
            onConflictRecord(),
            a,
            node("u2").label("team", "b").found(),
            Map.of()),
        new Case(
            "unknown registration: absent keys are restored",
            node,
            a,
            node("u2").found(),
            set(label("team"), "a")),
        new Case(
            "a label that a person set before our restore stands",
            node,
            a,
            node("u2").registered().then(n -> n.label("team", "c")),
            Map.of()),
        new Case(
            "a label that a person set and took away again stays away",
            node,
            a,
            node("u2").registered().then(n -> n.label("team", "c")).then(n -> n.without("team")),
            Map.of()),
        new Case(
            "a label of the registration that a person removed stays removed",
            onConflictRecord(),
            a,
            node("u2").label("team", "a").registered().then(n -> n.without("team")),
            Map.of()),
        new Case(
            "a key back at its registration value is still the person's",
            onConflictRecord(),
            a,
            node("u2")
                .label("team", "b")
                .registered()
                .then(n -> n.label("team", "c"))
                .then(n -> n.label("team", "b")),
            Map.of()),
        new Case(
            "a taint that the node registered with gets the record's value",
            node,
            t,
            node("u2").taint("dedicated", "weak").registered(),
            set(taint("dedicated"), "a")),
        new Case(
            "also when the registration is unknown",
            node,
            t,
            node("u2").taint("dedicated", "weak").found(),
            set(taint("dedicated"), "a")),
        new Case(
            "a taint that a person changed stands",
            node,
            t,
            node("u2").taint("dedicated", "weak").registered().then(n -> n.taint("dedicated", "p")),
            Map.of()),
        new Case(
            "a taint that a person removed stays away",
            node,
            t,
            node("u2").taint("dedicated", "a").registered().then(n -> n.withoutTaint("dedicated")),
            Map.of()),
        new Case(
            "the same key with another effect is another taint",
            node,
            t,
            node("u2").taint(new Taint("dedicated", "a", "NoExecute")).registered(),
            set(taint("dedicated"), "a")),
        new Case(
            "a taint of the node that the record does not know is left alone",
            node,
            t,
            node("u2").taint("dedicated", "a").taint("other", "x").registered(),
            Map.of()),
        new Case(
            "NoExecute taints and reserved labels come back by default",
            node,
            record().taint(new Taint("q", "", "NoExecute")).label(ROLE, "").build(),
            node("u2").registered(),
            Map.of(Key.taint("q", "NoExecute"), Optional.of(""), label(ROLE), Optional.of(""))),
        new Case(
            "annotations come back where they are kept",
            all,
            note,
            node("u2").under(all).registered(),
            set(annotation("note"), "a")),
        new Case(
            "an annotation on the node stays",
            all,
            note,
            node("u2").under(all).annotation("note", "b").registered(),
            Map.of()),
        new Case(
            "cordon comes back where it is kept",
            all,
            cordon,
            node("u2").under(all).registered(),
            set(Key.CORDON, "true")),
        new Case(
            "a node that a person uncordoned stays uncordoned",
            all,
            cordon,
            node("u2").under(all).cordon().registered().then(n -> n.uncordon()),
            Map.of()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  @DisplayName("writes exactly what is the record's, and nothing that is a person's")
  void changes(Case c) {
    assertThat(restore(c.seen(), c.record(), c.policy()).changes()).isEqualTo(c.changes());
  }

  private static Decision.Restore restore(Seen seen, NodeRecord record, Policy policy) {
    Decision decision = Decider.decide(seen.view(), Optional.of(record), policy);
    assertThat(decision).isInstanceOf(Decision.Restore.class);
    return (Decision.Restore) decision;
  }

  private static Content captured(Seen seen, NodeRecord record, Policy policy) {
    Decision decision = Decider.decide(seen.view(), Optional.of(record), policy);
    assertThat(decision).isInstanceOf(Decision.Write.class);
    return ((Decision.Write) decision).draft().content();
  }

  @Test
  @DisplayName("withholds what is outside its policy, invalid, or kept for another machine")
  void withholds() {
    NodeRecord annotated = record().label("team", "a").annotation("note", "a").build();
    assertThat(restore(node("u2").registered(), annotated, Policy.DEFAULT).withheld())
        .isEqualTo(Set.of(annotation("note")));

    NodeRecord invalid =
        record().label("team", "a").label("bad key", "x").label("x", "b d").build();
    Decision.Restore restore = restore(node("u2").registered(), invalid, Policy.DEFAULT);
    assertThat(restore.withheld()).isEqualTo(Set.of(label("bad key"), label("x")));
    assertThat(restore.changes()).isEqualTo(set(label("team"), "a"));

    NodeRecord other = record().machine("aws:///1").label("team", "a").label(ROLE, "").build();
    restore = restore(node("u2").machine("aws:///2").registered(), other, identityByProvider());
    assertThat(restore.withheld()).isEqualTo(Set.of(label(ROLE)));
    assertThat(restore.inDoubt()).isTrue();
    assertThat(restore.changes()).isEqualTo(set(label("team"), "a"));
  }

  @Test
  @DisplayName("asks for the machine only as --identity says")
  void identity() {
    NodeRecord other = record().machine("aws:///1").label(ROLE, "").taint("dedicated", "a").build();
    Identity two = new Identity("aws:///2", "same", "");
    for (IdentityBy by : IdentityBy.values()) {
      Policy policy =
          new Policy(Policy.DEFAULT.keep(), java.util.List.of(), Policy.OnConflict.NODE, by);
      Decision.Restore restore = restore(node("u2").identity(two).registered(), other, policy);
      assertThat(restore.changes()).as(by.name()).containsKey(taint("dedicated"));
      assertThat(restore.withheld().isEmpty()).as(by.name()).isEqualTo(by != IdentityBy.PROVIDER);
    }
  }

  @Test
  @DisplayName("leaves withheld keys in the record when the node is captured later")
  void withholdingDoesNotErase() {
    NodeRecord record = record().gen(3).label("team", "a").annotation("note", "a").build();
    Key note = annotation("note");
    Seen seen = node("u2").label("team", "b").marked(marker(3, "u2", note), note).found();
    assertThat(captured(seen, record, Policy.DEFAULT))
        .isEqualTo(things().label("team", "b").annotation("note", "a").content());
    assertThat(captured(seen.deleted(), record, Policy.DEFAULT))
        .isEqualTo(things().label("team", "b").annotation("note", "a").content());
  }

  @Test
  @DisplayName("takes a withheld key for the person's once the person has touched it")
  void withheldAndTouched() {
    Key role = label(ROLE);
    NodeRecord record = record().gen(3).machine("m1").label("team", "a").label(ROLE, "x").build();
    Seen seen =
        node("u2")
            .machine("m2")
            .label("team", "a")
            .marked(marker(3, "u2", role), role)
            .found()
            .beside(record);
    assertThat(Decider.decide(seen.view(), Optional.of(record), identityByProvider()))
        .isInstanceOf(Decision.Nothing.class);
    seen.then(n -> n.label(ROLE, "p")).then(n -> n.without(ROLE));
    assertThat(captured(seen, record, identityByProvider()))
        .isEqualTo(things().label("team", "a").content());
  }

  @Test
  @DisplayName("is not captured as removal: a capture changes only keys inside its own policy")
  void capturesWithinPolicy() {
    NodeRecord record = record().label("a.example/x", "1").label("b.example/y", "2").build();
    Policy narrow = onlyLabels("a.example/");
    Seen seen = node("u1").under(narrow).rv(9).registered();
    assertThat(captured(seen, record, narrow))
        .isEqualTo(things().label("b.example/y", "2").content());
  }

  @Test
  @DisplayName("keeps the old machine's identity for as long as something is withheld for it")
  void identityStays() {
    NodeRecord record = record().gen(3).machine("m1").label("team", "a").label(ROLE, "").build();
    Key role = label(ROLE);
    Seen seen =
        node("u2").machine("m2").label("team", "b").marked(marker(3, "u2", role), role).found();
    Decision decision = Decider.decide(seen.view(), Optional.of(record), identityByProvider());
    assertThat(((Decision.Write) decision).draft().identity().providerId()).isEqualTo("m1");
    assertThat(((Decision.Write) decision).draft().withheld()).isEqualTo(Set.of(role));
  }

  @Test
  @DisplayName("gives withheld keys back when they are allowed after all")
  void givesBack() {
    NodeRecord record = record().gen(3).machine("m1").label("team", "a").label(ROLE, "").build();
    Key role = label(ROLE);
    Seen seen =
        node("u2").machine("m1").label("team", "a").marked(marker(3, "u2", role), role).found();
    Decision.Restore restore = restore(seen, record, identityByProvider());
    assertThat(restore.changes()).isEqualTo(set(role, ""));
    assertThat(restore.withheld()).isEmpty();
  }

  @Test
  @DisplayName("stays within what the API allows a node's annotations to weigh, largest out first")
  void annotationBudget() {
    Policy all = keepEverything();
    NodeRecord record =
        record()
            .annotation("big", "b".repeat(150_000))
            .annotation("small", "s")
            .annotation("bigger", "c".repeat(160_000))
            .build();
    Decision.Restore restore = restore(node("u2").under(all).registered(), record, all);
    assertThat(restore.withheld()).isEqualTo(Set.of(annotation("bigger")));
    assertThat(restore.changes()).containsOnlyKeys(annotation("big"), annotation("small"));

    restore = restore(node("u2").under(all).annotationBytes(250_000).registered(), record, all);
    assertThat(restore.changes()).doesNotContainKeys(annotation("big"), annotation("bigger"));
  }

  @Test
  @DisplayName("goes once more over taints that a blind write swept away, but only once")
  void sweep() {
    NodeRecord record = record().gen(3).label("team", "a").taint("dedicated", "a").build();
    Seen seen =
        node("u2")
            .registered()
            .then(n -> n.label("team", "a").taint("dedicated", "a").marked(marker(3, "u2")))
            .beside(record)
            .soonAfterRestore(n -> n.withoutTaint("dedicated").taint("mine", "m"));
    assertThat(restore(seen, record, Policy.DEFAULT).changes())
        .isEqualTo(set(taint("dedicated"), "a"));

    seen.beside(record)
        .soonAfterRestore(n -> n.taint("dedicated", "a"))
        .soonAfterRestore(n -> n.withoutTaint("dedicated").taint("x", ""));
    assertThat(captured(seen, record, Policy.DEFAULT).get(taint("dedicated"))).isNull();
  }

  @Test
  @DisplayName("takes a removal of a restored taint alone for what it is: a person's wish")
  void noSweep() {
    NodeRecord record = record().gen(3).label("team", "a").taint("dedicated", "a").build();
    Seen seen =
        node("u2")
            .registered()
            .then(n -> n.label("team", "a").taint("dedicated", "a").marked(marker(3, "u2")))
            .beside(record)
            .soonAfterRestore(n -> n.withoutTaint("dedicated"));
    assertThat(captured(seen, record, Policy.DEFAULT))
        .isEqualTo(things().label("team", "a").content());
  }

  @Test
  @DisplayName("takes it for a wish, too, when people had touched the node since the restore")
  void noSweepLater() {
    NodeRecord record = record().gen(3).taint("dedicated", "a").build();
    Seen seen =
        node("u2")
            .registered()
            .then(n -> n.taint("dedicated", "a").marked(marker(3, "u2")))
            .beside(record)
            .soonAfterRestore(n -> n.label("x", "1"))
            .soonAfterRestore(n -> n.withoutTaint("dedicated").taint("mine", "m"));
    assertThat(captured(seen, record, Policy.DEFAULT).get(taint("dedicated"))).isNull();
  }

  @Test
  @DisplayName("lets a replayed older marker hide nothing that was touched since the newer one")
  void replayedMarker() {
    NodeRecord record =
        record()
            .gen(4)
            .uid("")
            .label("team", "b")
            .older(3, "u1", 5, things().label("team", "b"))
            .older(2, "u1", 4, things().label("team", "a"))
            .build();
    Seen seen =
        node("u2")
            .rv(10)
            .registered()
            .then(n -> n.label("team", "a").marked(marker(2, "u2")))
            .beside(record)
            .then(n -> n.label("team", "b").marked(marker(3, "u2")))
            .beside(record)
            .then(n -> n.without("team"))
            .then(n -> n.marked(marker(2, "u2")))
            .beside(record);
    Decision decision = Decider.decide(seen.view(), Optional.of(record), Policy.DEFAULT);
    assertThat(((Decision.Restore) decision).changes()).as("stays removed").isEmpty();
  }
}
