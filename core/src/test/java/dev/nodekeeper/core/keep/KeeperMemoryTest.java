package dev.nodekeeper.core.keep;

import static dev.nodekeeper.core.Given.label;
import static dev.nodekeeper.core.Given.marker;
import static dev.nodekeeper.core.Given.node;
import static dev.nodekeeper.core.Given.record;
import static dev.nodekeeper.core.Given.things;
import static dev.nodekeeper.core.keep.Driver.teamA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given.Node;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored.Defect;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Stored.Unreadable;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What the Keeper remembers, and what it gives up")
class KeeperMemoryTest {
  /** No resync in between: what happens, happens for its own reason. */
  private static final Limits PATIENT =
      Driver.limits(32, Duration.ofDays(1), Limits.DEFAULT.forgetAfter());

  private static Driver patient(NodeRecord... records) {
    return Driver.started(PATIENT, 6, List.of(), List.of(records));
  }

  private static void listNodes(Driver k, long rv, Node... nodes) {
    k.on(new Input.NodeListStarted());
    k.on(new Input.NodesListed(List.of(nodes).stream().map(Node::state).toList(), rv));
  }

  // ---- lists

  @Test
  @DisplayName("A node that is missing from a list is gone: its last state is written")
  void missingFromTheList() {
    Node u1 = node("u1").rv(6).label("team", "a");
    Driver k = Driver.started(6, List.of(u1.state()), List.of(teamA()));
    k.modified(u1.rv(7).label("team", "b")).quiet();
    listNodes(k, 9);
    assertThat(Driver.written(k.expect("capture")).content().get(label("team"))).isEqualTo("b");
    assertThat(k.counts().nodes()).isZero();
  }

  @Test
  @DisplayName("A change that only a list shows is captured like any other")
  void changedInTheList() {
    Node u1 = node("u1").rv(6).label("team", "a");
    Driver k = Driver.started(6, List.of(u1.state()), List.of(teamA()));
    listNodes(k, 9, u1.rv(8).label("team", "b"));
    k.quiet();
    assertThat(Driver.written(k.after(100).expect("capture")).content().get(label("team")))
        .isEqualTo("b");
  }

  @Test
  @DisplayName("A list of the revision that we have already is no lost history")
  void sameRevision() {
    Node u1 = node("u1").rv(6).label("team", "a");
    Driver k = Driver.started(6, List.of(u1.state()), List.of(teamA()));
    listNodes(k, 6, u1);
    k.on(new Input.RecordsListed(List.of(teamA()), 6)).after(1_000).quiet();
    assertThat(k.told(Reason.HISTORY_RESET)).isZero();
  }

  @Test
  @DisplayName("A list below a record that we knew before is lost history: the node's word counts")
  void recordFromTheFuture() {
    Node u1 = node("u1").rv(20).label("team", "b");
    Driver k = Driver.started(30, List.of(), List.of());
    k.seen(record().gen(3).uid("u1").rv(50).at(51).label("team", "a").build());
    listNodes(k, 40, u1);
    assertThat(k.told(Reason.HISTORY_RESET)).isEqualTo(1);
    NodeRecord present = record().gen(2).uid("u1").rv(10).at(11).label("team", "a").build();
    k.on(new Input.RecordsListed(List.of(present), 40));
    k.read(k.expect("read-record"), present);
    NodeRecord written = Driver.written(k.after(100).expect("capture"));
    assertThat(written.content().get(label("team"))).isEqualTo("b");
    assertThat(written.origin().rv()).isEqualTo(11);
  }

  @Test
  @DisplayName("... but not when the record came after the list was asked for")
  void recordSinceTheList() {
    Node u1 = node("u1").rv(20).label("team", "b");
    Driver k = Driver.started(30, List.of(), List.of());
    k.on(new Input.NodeListStarted());
    k.seen(record().gen(4).uid("u1").rv(51).at(52).label("team", "a").build());
    k.on(new Input.NodesListed(List.of(u1.state()), 30)).after(1_000).quiet();
    assertThat(k.told(Reason.HISTORY_RESET)).isZero();
  }

  @Test
  @DisplayName("Lost history: no record of it is written over before it is looked at again")
  void recordOfLostHistory() {
    Driver k = Driver.started(30, List.of(), List.of());
    NodeRecord lost = record().at(51).preSeeded().label("team", "lost").build();
    k.done(k.seen(lost).expect("hand-edit"), new Outcome.Refused(403, "no")).quiet();
    listNodes(k, 40, node("u1").rv(20));
    // Its revision was given again, to an edit of the same object.
    NodeRecord present = record().at(51).preSeeded().label("team", "present").build();
    k.read(k.expect("read-record"), present);
    assertThat(Driver.written(k.expect("hand-edit")).content()).isEqualTo(present.content());
  }

  @Test
  @DisplayName("Lost history: what only our own reply has shown is not used any more")
  void ownWriteOfLostHistory() {
    Driver k = Driver.started(30, List.of(), List.of());
    Node u1 = node("u1").rv(31).label("team", "a");
    k.ok(k.added(u1).after(100).expect("create"), 51).quiet();
    listNodes(k, 40, u1.label("team", "b"));
    assertThat(k.told(Reason.HISTORY_RESET)).isEqualTo(1);
    assertThat(Driver.written(k.after(100).expect("create")).content().get(label("team")))
        .isEqualTo("b");
  }

  @Test
  @DisplayName("Lost history that no list shows: another record at the revision of ours is taken")
  void sameRevisionOtherRecord() {
    Driver k = Driver.started(30, List.of(), List.of());
    Node u1 = node("u1").rv(31).label("team", "a");
    k.ok(k.added(u1).after(100).expect("create"), 51).quiet();
    k.seen(record().gen(7).uid("u0").rv(29).at(51).label("x", "1").build());
    assertThat(k.expectPatch("restore").body()).contains("\"x\":\"1\"");
  }

  @Test
  @DisplayName("Lost history: tombstones and waits of the lost time are dropped")
  void resetDropsTombstones() {
    Driver k = patient(teamA());
    Node u2 = node("u2").rv(9);
    Effect.Request lost = k.added(u2).expect("restore");
    k.modified(u2.rv(10).label("x", "1")).deleted(u2.rv(11));
    k.done(lost, new Outcome.Refused(403, "no")).quiet();
    assertThat(k.counts().tombstones()).isEqualTo(1);
    listNodes(k, 8, node("u3").rv(7));
    assertThat(k.counts().tombstones()).isZero();
    k.read(k.expect("read-record"), teamA());
    assertThat(k.expectPatch("restore").uid()).isEqualTo("u3");
  }

  @Test
  @DisplayName("A record that is missing from a list is forgotten, unless we wrote it since")
  void recordMissing() {
    Driver k = Driver.with(teamA());
    k.on(new Input.RecordsListed(List.of(), 20));
    assertThat(k.counts().records()).isZero();
    k.added(node("u2").rv(22)).quiet().after(1_000).quiet();

    k = Driver.empty();
    Node u1 = node("u1").rv(10).label("team", "a");
    k.added(u1).after(100);
    k.ok(k.expect("create"), 30).quiet();
    k.on(new Input.RecordsListed(List.of(), 20));
    assertThat(k.counts().records()).isEqualTo(1);
    k.on(new Input.RecordsListed(List.of(), 30));
    assertThat(k.counts().records()).isZero();
  }

  @Test
  @DisplayName("A list of records that went back counts, although its revisions are lower")
  void recordsWentBack() {
    Driver k = patient(record().gen(7).uid("u1").rv(5).at(40).label("team", "new").build());
    k.on(new Input.RecordsListed(List.of(), 50)).on(new Input.RecordsListed(List.of(teamA()), 30));
    assertThat(k.added(node("u2").rv(60)).expectPatch("restore").body()).contains("\"team\":\"a\"");
  }

  // ---- records

  @Test
  @DisplayName("A record at a revision that the watch has passed is an echo of the past")
  void passedRecords() {
    Driver k = Driver.with(teamA());
    k.on(new Input.RecordProgress(20));
    k.seen(record().gen(4).uid("u1").rv(5).at(20).label("team", "ghost").build());
    k.forgotten(20);
    assertThat(k.added(node("u2").rv(22)).expectPatch("restore").body()).contains("\"team\":\"a\"");
  }

  @Test
  @DisplayName("A read that the watch has overtaken brings no deleted record back")
  void overtakenRead() {
    Node u1 = node("u1").rv(7).label("team", "b");
    Driver k = Driver.started(8, List.of(u1.state()), List.of(teamA()));
    k.conflict(k.after(100).expect("capture")).after(1_000);
    Effect.Request read = k.expect("read-record");
    k.deleted(u1.rv(9)).forgotten(20);
    k.read(read, record().gen(4).uid("u1").rv(9).at(20).label("team", "ghost").build());
    assertThat(k.counts().records()).isZero();
  }

  @Test
  @DisplayName("News of a record end the wait of who lost the race for it")
  void newsEndTheWait() {
    Node u1 = node("u1").rv(7).label("team", "b");
    Driver k = Driver.started(8, List.of(u1.state()), List.of(teamA()));
    k.conflict(k.after(100).expect("capture")).quiet();
    k.seen(record().gen(4).uid("u1").rv(6).at(12).label("team", "c").build());
    assertThat(Driver.written(k.expect("capture")).generation()).isEqualTo(5);
  }

  @Test
  @DisplayName(
      "A record of a node that is away and left nothing in it goes after a minute, exactly")
  void emptyAndAway() {
    Driver k = patient(record().gen(2).uid("u1").rv(5).at(6).build());
    k.look(k.after(59_999).quiet().after(1).expect("read-node"), null).expect("delete");
  }

  @Test
  @DisplayName("... but not while a live look shows a life that our watch has not")
  void emptyAndBack() {
    Driver k = patient(record().gen(2).uid("u1").rv(5).at(6).build());
    Node u2 = node("u2").rv(9).label("team", "a").marked(marker(1, "u2"));
    k.look(k.after(60_000).expect("read-node"), u2).quiet();
    k.after(1_000).expect("read-node");
  }

  @Test
  @DisplayName("A request of a name that is forgotten meanwhile still ends: nothing leaks")
  void nothingLeaks() {
    Driver k = patient(record().gen(2).uid("u1").rv(5).at(6).build());
    Effect.Request delete = k.look(k.after(60_000).expect("read-node"), null).expect("delete");
    k.forgotten(17).on(new Input.NodeProgress(30));
    assertThat(k.counts().inFlight()).isEqualTo(1);
    k.ok(delete, 17).quiet();
    assertThat(k.counts().inFlight()).isZero();
    assertThat(k.counts().records()).isZero();
  }

  @Test
  @DisplayName(
      "A bookmark of the node watch proves that a node outlived its record: no read needed")
  void bookmarkProvesLife() {
    Node u1 = node("u1").rv(6).label("team", "a");
    Driver k = Driver.started(6, List.of(u1.state()), List.of(teamA()));
    k.on(new Input.NodeProgress(10)).forgotten(10).expect("create");
  }

  @Test
  @DisplayName("A node read that differs from our view proves nothing: the watch has to tell first")
  void otherThanRead() {
    Node u1 = node("u1").rv(6).label("team", "a");
    Driver k = Driver.started(6, List.of(u1.state()), List.of(teamA()));
    Effect.Request read = k.forgotten(10).expect("read-node");
    Node later = node("u1").rv(9).label("team", "b");
    k.look(read, later).quiet();
    k.after(999).quiet();
    read = k.after(1).expect("read-node");
    k.look(read, null).quiet();
    k.after(999).quiet().after(1).expect("read-node");
  }

  // ---- tombstones

  @Test
  @DisplayName("What a quiet tombstone waits for may come with any record, seen or deleted")
  void quietUntilAnyProgress() {
    for (Input progress :
        List.of(
            new Input.RecordProgress(11),
            new Input.RecordSeen(record().name("other").at(11).label("a", "b").build()),
            new Input.RecordDeleted("other", 11))) {
      Driver k = patient(teamA());
      Effect.Request patch = k.added(node("u2").rv(10)).expect("restore");
      k.deleted(node("u2").rv(11)).gone(patch).after(500_000).quiet();
      assertThat(k.counts().tombstones()).isEqualTo(1);
      k.on(progress).quiet();
      assertThat(k.counts().tombstones()).as("%s", progress).isZero();
    }
  }

  @Test
  @DisplayName(
      "... and it lingers for 7 minutes, exactly, because a request may still be on its way")
  void lingers() {
    Driver k = patient(teamA());
    Effect.Request patch = k.added(node("u2").rv(10)).expect("restore");
    k.deleted(node("u2").rv(11)).gone(patch).on(new Input.RecordProgress(11));
    k.after(419_999).quiet();
    assertThat(k.counts().tombstones()).isEqualTo(1);
    k.after(1).quiet();
    assertThat(k.counts().tombstones()).isZero();
  }

  @Test
  @DisplayName("A record that is as new as the tombstone settles it, however far the watch is")
  void settledByTheRecord() {
    Driver k = patient(record().gen(3).uid("u1").rv(11).at(12).label("team", "a").build());
    k.deleted(node("u1").rv(11).label("team", "a")).quiet().after(420_000).quiet();
    assertThat(k.counts().tombstones()).isZero();
  }

  @Test
  @DisplayName("A tombstone that cannot be written is given up after an hour")
  void givenUp() {
    Unreadable bad = new Unreadable("gpu-17", new Origin("cm", 3, ""), Defect.BROKEN, "bad JSON");
    Driver k = Driver.started(6, List.of(), List.of(bad));
    k.deleted(node("u1").rv(9).label("x", "1")).quiet();
    assertThat(k.told(Reason.RECORD_UNREADABLE)).isEqualTo(1);
    k.after(3_600_000).quiet();
    assertThat(k.counts().tombstones()).isEqualTo(1);
    k.after(300_000).quiet();
    assertThat(k.counts().tombstones()).isZero();
  }

  @Test
  @DisplayName("A tombstone is settled by its own write, not by a hand edit's")
  void handEditFirst() {
    Driver k = patient(teamA());
    Node u2 = node("u2").rv(9);
    Effect.Request lost = k.added(u2).expect("restore");
    k.modified(u2.rv(10).label("x", "1")).deleted(u2.rv(11));
    k.seen(
        record()
            .gen(3)
            .uid("u1")
            .rv(5)
            .at(8)
            .label("team", "hand")
            .editedFrom(things().label("team", "a"))
            .build());
    k.stored(k.gone(lost).after(1_000).expect("hand-edit"), 20);
    assertThat(k.counts().tombstones()).isEqualTo(1);
    Effect.Request merge = k.expect("merge");
    assertThat(Driver.written(merge).content())
        .isEqualTo(things().label("team", "hand").label("x", "1").content());
    k.ok(merge, 21);
    assertThat(k.counts().tombstones()).isZero();
  }

  @Test
  @DisplayName("A tombstone marked with a version that we do not know has the record read first")
  void tombstoneOfANewerVersion() {
    Driver k = patient(teamA());
    k.deleted(node("u2").rv(11).label("team", "b").marked(marker(4, "u2")));
    Effect.Request read = k.expect("read-record");
    k.read(read, record().gen(4).uid("u9").rv(7).at(8).label("team", "a").build());
    assertThat(Driver.written(k.expect("capture")).content())
        .isEqualTo(things().label("team", "b").content());
  }

  @Test
  @DisplayName("The last state comes with the deletion: what changed with it is the person's")
  void changedWithTheDeletion() {
    Driver k = patient(teamA());
    Effect.Request lost = k.added(node("u2").rv(9)).expect("restore");
    k.deleted(node("u2").rv(11).label("x", "1")).gone(lost);
    assertThat(Driver.written(k.after(1_000).expect("merge")).content())
        .isEqualTo(things().label("team", "a").label("x", "1").content());
  }

  @Test
  @DisplayName("A life that we only hear the end of counts, and counts once")
  void onlyItsEnd() {
    Driver k = patient();
    Effect.Request create = k.deleted(node("u9").rv(9).label("x", "1")).expect("create");
    k.deleted(node("u9").rv(10).label("x", "1")).deleted(node("u8").rv(11)).quiet();
    assertThat(k.counts().tombstones()).isEqualTo(2);
    NodeRecord record = k.stored(create, 12);
    assertThat(record.content()).isEqualTo(things().label("x", "1").content());
    assertThat(k.counts().tombstones()).isEqualTo(1);
  }

  @Test
  @DisplayName("With an empty record nothing is forgotten but what it had seen")
  void forgottenEmpty() {
    Driver k = patient(record().gen(2).uid("u1").rv(9).at(10).build());
    Node u2 = node("u2").rv(12).label("pool", "k");
    Effect.Request patch = k.added(u2).expect("restore");
    k.modified(u2.rv(13).label("x", "1")).deleted(u2.rv(14)).forgotten(21).gone(patch);
    assertThat(k.counts().tombstones()).isEqualTo(1);
    assertThat(Driver.written(k.after(1_000).expect("create")).content().get(label("x")))
        .isEqualTo("1");
  }

  @Test
  @DisplayName("A deletion that comes after a wait began ends it: the last state is not delayed")
  void deletionEndsWaits() {
    Driver k = patient(teamA());
    Node u2 = node("u2").rv(9);
    Effect.Request patch = k.added(u2).expect("restore");
    k.modified(u2.rv(10).label("x", "1")).done(patch, new Outcome.Refused(403, "no")).quiet();
    k.deleted(u2.rv(11)).expect("merge");
  }

  // ---- the next life

  @Test
  @DisplayName("A new life does not wait for what was refused before it")
  void newLifeDoesNotWait() {
    Driver k = patient(record().gen(2).uid("u1").rv(5).at(6).build());
    k.done(k.after(60_000).expect("read-node"), new Outcome.Refused(403, "no")).quiet();
    k.added(node("u2").rv(9).label("x", "1")).expect("restore");
  }

  @Test
  @DisplayName("In a new life people are told again, and forged markers may ask again")
  void newLifeNewWords() {
    Driver k = patient(teamA());
    for (int life = 2; life <= 3; life++) {
      String uid = "u" + life;
      for (int forged = 1; forged <= 3; forged++) {
        Node node = node(uid).rv(life * 100 + forged).marked((10 + forged) + ".forged");
        Effect.Request read = k.modified(node).expect("read-record");
        Effect.Request patch = k.read(read, teamA()).expect("restore");
        k.done(patch, new Outcome.Refused(403, "no"));
        k.after(300_000);
        k.conflict(k.expect("restore"));
      }
      assertThat(k.told(Reason.REQUEST_REFUSED)).isEqualTo(life - 1);
      k.deleted(node(uid).rv(life * 100 + 50));
    }
  }

  @Test
  @DisplayName("A view that was older than the record is looked at again when it has grown")
  void grownView() {
    NodeRecord newer = record().gen(4).uid("u1").rv(20).at(21).label("team", "new").build();
    Driver k = Driver.started(5, List.of(), List.of(newer));
    k.added(node("u1").rv(19).label("team", "old")).after(1_000).quiet();
    // Only a heartbeat, but now it is the later word.
    k.modified(node("u1").rv(22).label("team", "old"));
    assertThat(Driver.written(k.after(100).expect("capture")).content())
        .isEqualTo(things().label("team", "old").content());
  }
}
