package dev.nodekeeper.core.decide;

import static dev.nodekeeper.core.Given.label;
import static dev.nodekeeper.core.Given.marker;
import static dev.nodekeeper.core.Given.node;
import static dev.nodekeeper.core.Given.record;
import static dev.nodekeeper.core.Given.taint;
import static dev.nodekeeper.core.Given.things;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given;
import dev.nodekeeper.core.Given.Seen;
import dev.nodekeeper.core.Given.Things;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Defect;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Stored.Unreadable;
import dev.nodekeeper.core.policy.Policy;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The decision table, row by row")
class DeciderTest {

  /** One line of the table: a view beside a record, and what follows. */
  record Row(String says, Seen seen, @Nullable Stored record, Expect expect) {
    @Override
    public String toString() {
      return says;
    }
  }

  sealed interface Expect {}

  record Nothing() implements Expect {}

  record Read() implements Expect {}

  record Write(Decision.Cause cause, String uid, long rv, Things content) implements Expect {}

  record Restore(Map<Key, Optional<String>> changes) implements Expect {}

  private static final Things TEAM_A = things().label("team", "a");

  static Restore set(String label, String value) {
    return new Restore(Map.of(label(label), Optional.of(value)));
  }

  static Stream<Row> rows() {
    NodeRecord a = record().gen(1).uid("u1").rv(5).label("team", "a").build();
    NodeRecord both = record().uid("u1").rv(5).label("team", "a").taint("dedicated", "a").build();
    NodeRecord second =
        record().gen(2).uid("u9").rv(5).label("team", "b").older(1, "u1", 3, TEAM_A).build();
    return Stream.of(
        // no record
        new Row(
            "no record, something to keep: create",
            node("u1").rv(7).label("team", "a").registered(),
            null,
            new Write(Decision.Cause.CREATE, "u1", 7, TEAM_A)),
        new Row(
            "no record, a tombstone with something to keep: create",
            node("u1").rv(6).label("team", "a").registered().deleted(),
            null,
            new Write(Decision.Cause.CREATE, "u1", 7, TEAM_A)),
        new Row(
            "no record, nothing to keep: nothing", node("u1").registered(), null, new Nothing()),
        new Row(
            "no record, only facts and passing taints: nothing",
            node("u1")
                .label("kubernetes.io/hostname", "x")
                .taint("node.kubernetes.io/not-ready", "")
                .registered(),
            null,
            new Nothing()),
        // hand edits and records without a nonce
        new Row(
            "edited by hand: a version bound to no incarnation, as new as the edit",
            node("u1").rv(9).label("team", "a").registered(),
            record().gen(3).uid("u1").rv(5).at(8).label("team", "b").editedFrom(TEAM_A).build(),
            new Write(Decision.Cause.HAND_EDIT, "", 8, things().label("team", "b"))),
        new Row(
            "edited by hand, and a tombstone waits: the edit first",
            node("u1").rv(9).label("team", "c").registered().deleted(),
            record().gen(3).uid("u1").rv(5).at(8).label("team", "b").editedFrom(TEAM_A).build(),
            new Write(Decision.Cause.HAND_EDIT, "", 8, things().label("team", "b"))),
        new Row(
            "pre-seeded: it gets a nonce before its first restore",
            node("u1").rv(9).registered(),
            record().preSeeded().at(8).label("team", "a").build(),
            new Write(Decision.Cause.HAND_EDIT, "", 8, TEAM_A)),
        new Row(
            "a nonce too short to vouch for anything: renewed first",
            node("u2").rv(9).registered(),
            record().nonce("short").at(8).label("team", "a").build(),
            new Write(Decision.Cause.HAND_EDIT, "", 8, TEAM_A)),
        // marker above the cached record
        new Row(
            "the marker names a version that the cache does not know: read",
            node("u2").rv(9).label("team", "b").marked(marker(7, "u2")).found(),
            a,
            new Read()),
        new Row(
            "the same on a node known by its uid: no read, it is the record's own",
            node("u1").rv(9).label("team", "a").marked(marker(7, "u1")).found(),
            a,
            new Nothing()),
        // known by uid
        new Row(
            "known by uid, not newer: nothing, whatever it says",
            node("u1").rv(5).label("team", "old").registered(),
            a,
            new Nothing()),
        new Row(
            "known by uid, not newer, deleted: settled",
            node("u1").rv(4).label("team", "old").registered().deleted(),
            a,
            new Nothing()),
        new Row(
            "known by uid, same content: nothing",
            node("u1").rv(6).label("team", "a").registered(),
            a,
            new Nothing()),
        new Row(
            "known by uid, changed: capture",
            node("u1").rv(6).label("team", "b").registered(),
            a,
            new Write(Decision.Cause.CAPTURE, "u1", 6, things().label("team", "b"))),
        new Row(
            "known by uid, everything removed: the record follows",
            node("u1").rv(6).registered(),
            a,
            new Write(Decision.Cause.CAPTURE, "u1", 6, things())),
        new Row(
            "known by uid, deleted, changed: the tombstone is captured",
            node("u1").rv(6).label("team", "b").registered().deleted(),
            a,
            new Write(Decision.Cause.CAPTURE, "u1", 7, things().label("team", "b"))),
        new Row(
            "known by uid, terminating: people's changes still count",
            node("u1").rv(6).label("team", "b").terminating().registered(),
            a,
            new Write(Decision.Cause.CAPTURE, "u1", 6, things().label("team", "b"))),
        // known by marker
        new Row(
            "known by marker, same content: nothing, no write to say so",
            node("u2").rv(9).label("team", "a").marked(marker(1, "u2")).found(),
            a,
            new Nothing()),
        new Row(
            "known by marker, changed: capture, under its own uid",
            node("u2").rv(9).label("team", "b").marked(marker(1, "u2")).found(),
            a,
            new Write(Decision.Cause.CAPTURE, "u2", 9, things().label("team", "b"))),
        new Row(
            "known by marker, a restored label removed before anybody adopted it: stays removed",
            node("u2").rv(9).marked(marker(1, "u2")).found(),
            a,
            new Write(Decision.Cause.CAPTURE, "u2", 9, things())),
        new Row(
            "known by marker, deleted, changed: capture",
            node("u2").rv(9).label("x", "1").marked(marker(1, "u2")).found().deleted(),
            a,
            new Write(Decision.Cause.CAPTURE, "u2", 10, things().label("x", "1"))),
        // not known
        new Row(
            "not known, terminating: never restore onto a dying node",
            node("u2").rv(9).terminating().registered(),
            a,
            new Nothing()),
        new Row(
            "not known, present, bare: restore",
            node("u2").rv(9).registered(),
            a,
            set("team", "a")),
        new Row(
            "not known, present, bare, but older than the record: restore, the patch will tell",
            node("u2").rv(4).registered(),
            a,
            set("team", "a")),
        new Row(
            "not known, present, only the marker is missing: it alone",
            node("u2").rv(9).label("team", "a").registered(),
            a,
            new Restore(Map.of())),
        new Row(
            "not known, labels and taints: one patch for all",
            node("u2").rv(9).registered(),
            both,
            new Restore(
                Map.of(label("team"), Optional.of("a"), taint("dedicated"), Optional.of("a")))),
        new Row(
            "not known, and neither side has anything of ours: no trace",
            node("u2").rv(9).registered(),
            record().build(),
            new Nothing()),
        new Row(
            "the marker is of an older version: three-way, untouched keys follow the record",
            node("u2").rv(9).label("team", "a").marked(marker(1, "u2")).found(),
            second,
            set("team", "b")),
        new Row(
            "an older version holds its uid: likewise",
            node("u1").rv(9).label("team", "a").found(),
            second,
            set("team", "b")),
        new Row(
            "an older version, and a person changed the key since: it stands",
            node("u1").rv(9).label("team", "mine").found(),
            second,
            new Restore(Map.of())),
        new Row(
            "an older version, and the record dropped the key: removed from the node too",
            node("u1").rv(9).label("team", "a").label("x", "1").found(),
            record()
                .gen(2)
                .uid("")
                .label("team", "a")
                .older(1, "u1", 3, things().label("team", "a").label("x", "1"))
                .build(),
            new Restore(Map.of(label("x"), Optional.empty()))),
        // tombstones of the unknown
        new Row(
            "not known, deleted, nothing touched: settled",
            node("u2").rv(9).registered().deleted(),
            a,
            new Nothing()),
        new Row(
            "not known, deleted, its kubelet's own labels are no touch: settled",
            node("u2").rv(9).label("pool", "k").registered().deleted(),
            a,
            new Nothing()),
        new Row(
            "not known, deleted, touched: merged, with its uid and rv",
            node("u2").rv(9).registered().then(n -> n.label("x", "1")).deleted(),
            a,
            new Write(Decision.Cause.MERGE, "", 11, things().label("team", "a").label("x", "1"))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  @DisplayName("gives one decision per case")
  void decides(Row row) {
    Decision decision =
        Decider.decide(row.seen().view(), Optional.ofNullable(row.record()), Policy.DEFAULT);
    switch (row.expect()) {
      case Nothing() -> assertThat(decision).isInstanceOf(Decision.Nothing.class);
      case Read() -> assertThat(decision).isEqualTo(new Decision.ReadRecord());
      case Write(var cause, String uid, long rv, Things content) -> {
        assertThat(decision).isInstanceOf(Decision.Write.class);
        Decision.Write write = (Decision.Write) decision;
        assertThat(write.cause()).isEqualTo(cause);
        assertThat(write.draft().content()).isEqualTo(content.content());
        assertThat(write.draft().uid()).isEqualTo(uid);
        assertThat(write.draft().rv()).isEqualTo(rv);
        assertThat(write.trimmed()).isEmpty();
      }
      case Restore(var changes) -> {
        assertThat(decision).isInstanceOf(Decision.Restore.class);
        Decision.Restore restore = (Decision.Restore) decision;
        assertThat(restore.changes()).isEqualTo(changes);
        assertThat(restore.withheld()).isEqualTo(Set.of());
        NodeRecord record = (NodeRecord) row.record();
        assertThat(restore.version()).isEqualTo(record == null ? null : record.current());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Defect.class)
  @DisplayName("leaves a record alone that it cannot read, whatever happens to its node")
  void inert(Defect defect) {
    Unreadable bad = new Unreadable(Given.NAME, new Origin("cm", 3, ""), defect, "why");
    for (Seen seen :
        new Seen[] {
          node("u2").registered(),
          node("u2").label("team", "a").registered(),
          node("u2").registered().then(n -> n.label("x", "1")).deleted(),
          node("u2").marked(marker(9, "u2")).found()
        }) {
      assertThat(Decider.decide(seen.view(), Optional.of(bad), Policy.DEFAULT))
          .isEqualTo(new Decision.Inert(bad));
    }
  }
}
