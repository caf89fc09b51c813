package dev.nodekeeper.core.keep;

import static dev.nodekeeper.core.Given.label;
import static dev.nodekeeper.core.Given.marker;
import static dev.nodekeeper.core.Given.node;
import static dev.nodekeeper.core.Given.record;
import static dev.nodekeeper.core.Given.taint;
import static dev.nodekeeper.core.Given.things;
import static dev.nodekeeper.core.keep.Driver.teamA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given.Node;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored.Defect;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Stored.Unreadable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The Keeper, race by race")
class KeeperTest {

  @Test
  @DisplayName("One life costs two writes, and none when nothing happens")
  void oneLife() {
    Driver k = Driver.empty();
    Node u1 = node("u1").rv(10);
    k.added(u1).quiet();
    k.modified(u1.rv(11).label("team", "vision")).quiet();
    Effect.Request create = k.after(100).expect("create");
    NodeRecord record = k.stored(create, 12);
    assertThat(record.generation()).isEqualTo(1);
    assertThat(record.uid()).isEqualTo("u1");
    k.quiet().deleted(u1.rv(13)).quiet();

    Node u2 = node("u2").rv(14);
    Effect.PatchNode restore = k.added(u2).expectPatch("restore");
    assertThat(restore.body()).contains("\"team\":\"vision\"");
    k.ok(restore, 15).quiet();
    k.modified(u2.rv(15).label("team", "vision").marked(Driver.marker(restore))).quiet();
    k.after(10_000).quiet().after(600_000).quiet().after(7_200_000).quiet();
  }

  @Test
  @DisplayName("... and a removal is captured, and the empty record deleted after 60 s")
  void lastLabelRemoved() {
    Driver k = Driver.with(teamA());
    Node u2 = node("u2").rv(14).label("team", "a").marked(marker(3, "u2"));
    k.modified(u2).quiet();
    k.modified(u2.rv(15).without("team")).quiet();
    Effect.Request capture = k.after(100).expect("capture");
    NodeRecord empty = k.stored(capture, 16);
    assertThat(empty.content()).isEqualTo(Content.EMPTY);
    assertThat(empty.uid()).isEqualTo("u2");
    k.after(59_900).quiet();
    k.look(k.after(200).expect("read-node"), u2.rv(15).without("team"));
    Effect.DeleteRecord delete = (Effect.DeleteRecord) k.expect("delete");
    assertThat(delete.record().origin()).isEqualTo(new Origin("cm", 16, ""));
    k.ok(delete, 17).quiet().forgotten(17).quiet().after(600_000).quiet();
  }

  @Test
  @DisplayName("The grace time of an empty record starts again when content came and went")
  void graceRestarts() {
    Node u1 = node("u1").rv(7);
    Driver k =
        Driver.started(8, List.of(u1.state()), List.of(record().uid("u1").rv(7).at(8).build()));
    k.after(50_000).quiet();
    k.modified(u1.rv(20).label("team", "a")).after(100);
    k.stored(k.expect("capture"), 21);
    k.modified(u1.rv(22).without("team")).after(100);
    k.stored(k.expect("capture"), 23);
    k.after(59_900).quiet().after(200).expect("read-node");
  }

  @Test
  @DisplayName("R1: edited, deleted, re-created: the tombstone is captured, then u2 restored")
  void r1() {
    Node u1 = node("u1").rv(6).label("team", "a");
    Driver k = Driver.started(6, List.of(u1.state()), List.of(teamA()));
    k.modified(u1.rv(7).label("team", "b")).quiet();
    Effect.Request capture = k.deleted(u1.rv(8)).expect("capture");
    k.added(node("u2").rv(9)).quiet();
    k.ok(capture, 10);
    assertThat(k.expectPatch("restore").body()).contains("\"team\":\"b\"");
  }

  @Test
  @DisplayName("R2: u2 came and went untouched: the record stays, u3 gets it")
  void r2() {
    Driver k = Driver.with(teamA());
    Effect.PatchNode lost = k.added(node("u2").rv(9)).expectPatch("restore");
    k.deleted(node("u2").rv(10)).added(node("u3").rv(11)).quiet();
    k.conflict(lost);
    assertThat(k.expectPatch("restore").uid()).isEqualTo("u3");
  }

  @Test
  @DisplayName("R3: as R2, but edited: the edit is merged from its last state, then u3 gets all")
  void r3() {
    Driver k = Driver.with(teamA());
    Node u2 = node("u2").rv(9).label("pool", "kubelet");
    Effect.PatchNode lost = k.added(u2).expectPatch("restore");
    k.modified(u2.rv(10).label("x", "1")).deleted(u2.rv(11)).added(node("u3").rv(12)).quiet();
    Effect.Request merge = k.conflict(lost).expect("merge");
    assertThat(Driver.written(merge).content())
        .isEqualTo(things().label("team", "a").label("x", "1").content());
    k.ok(merge, 13);
    assertThat(k.expectPatch("restore").body()).contains("\"x\":\"1\"", "\"team\":\"a\"");
  }

  @Test
  @DisplayName("R4: edited between ADDED and our patch: the person's keys stand, others follow")
  void r4() {
    NodeRecord record =
        record().uid("u1").rv(5).at(6).label("team", "a").label("rack", "r").build();
    Driver k = Driver.with(record);
    Node u2 = node("u2").rv(9);
    Effect.PatchNode lost = k.added(u2).expectPatch("restore");
    k.modified(u2.rv(10).label("team", "mine"));
    Effect.PatchNode again = k.conflict(lost).expectPatch("restore");
    assertThat(again.body()).contains("rack").doesNotContain("\"team\"", "/team");
  }

  @Test
  @DisplayName("R5: a restored label removed before anybody adopted u2 stays removed")
  void r5() {
    Driver k = Driver.with(teamA());
    Node u2 = node("u2").rv(9);
    Effect.PatchNode restore = k.added(u2).expectPatch("restore");
    k.modified(u2.rv(10).label("team", "a").marked(Driver.marker(restore)));
    k.modified(u2.rv(11).without("team")).ok(restore, 10).quiet();
    assertThat(Driver.written(k.after(100).expect("capture")).content()).isEqualTo(Content.EMPTY);
  }

  @Test
  @DisplayName("R6: restored by who crashed since: the marker says so, no second restore")
  void r6() {
    Node u2 = node("u2").rv(10).label("team", "a").marked(marker(3, "u2"));
    Driver.started(11, List.of(u2.state()), List.of(teamA())).quiet().after(600_000).quiet();
  }

  @Test
  @DisplayName("R7: reply lost, then an edit, then the retry: adopted with the edit")
  void r7() {
    Driver k = Driver.with(teamA());
    Node u2 = node("u2").rv(9);
    Effect.PatchNode restore = k.added(u2).expectPatch("restore");
    k.modified(u2.rv(10).label("team", "a").marked(Driver.marker(restore)));
    k.modified(u2.rv(11).label("team", "mine")).quiet();
    k.cut(restore).quiet();
    Effect.Request capture = k.after(200).expect("capture");
    assertThat(Driver.written(capture).content())
        .isEqualTo(things().label("team", "mine").content());
    assertThat(Driver.written(capture).uid()).isEqualTo("u2");
  }

  @Test
  @DisplayName("R11: an older view of the same incarnation does not undo a newer capture")
  void r11() {
    NodeRecord newer = record().gen(4).uid("u1").rv(20).at(21).label("team", "new").build();
    Driver k = Driver.started(21, List.of(), List.of(newer));
    k.added(node("u1").rv(9).label("team", "old")).after(1_000).quiet();
    k.modified(node("u1").rv(19).label("team", "old")).after(1_000).quiet();
    k.modified(node("u1").rv(20).label("team", "new")).after(1_000).quiet();
  }

  @Test
  @DisplayName("R12: woken up with u1 while u2 lives: the restore fails on the uid and is dropped")
  void r12() {
    NodeRecord ofU2 = record().gen(1).uid("u2").rv(20).at(21).label("team", "a").build();
    Node u1 = node("u1").rv(9).label("x", "1");
    Driver k = Driver.started(9, List.of(u1.state()), List.of(ofU2));
    Effect.PatchNode restore = k.expectPatch("restore");
    assertThat(restore.uid()).isEqualTo("u1");
    k.conflict(restore);
    k.deleted(u1.rv(10)).added(node("u2").rv(15).label("team", "a"));
    // found in a list, so what was on it stands: it is merged late, once, bound to nobody
    NodeRecord merged = Driver.written(k.expect("merge"));
    assertThat(merged.uid()).isEmpty();
    assertThat(merged.words().keys()).containsOnly(Map.entry(label("x"), 9L));
  }

  @Test
  @DisplayName("R13: a late tombstone with nothing touched is settled without a word")
  void r13Untouched() {
    NodeRecord ofU2 = record().gen(1).uid("u2").rv(20).at(21).label("team", "a").build();
    Driver k = Driver.empty();
    k.added(node("u1").rv(9)).deleted(node("u1").rv(10)).seen(ofU2);
    k.added(node("u2").rv(20).label("team", "a")).quiet().after(420_000).quiet();
    assertThat(k.counts().tombstones()).isZero();
  }

  @Test
  @DisplayName("R13: a late tombstone's touched keys are merged, and u2 is looked at again")
  void r13Touched() {
    NodeRecord ofU2 = record().gen(1).uid("u2").rv(20).at(21).label("team", "a").build();
    Driver k = Driver.empty();
    Node u1 = node("u1").rv(9);
    k.added(u1).modified(u1.rv(10).label("x", "1")).quiet();
    Effect.Request create = k.deleted(u1.rv(11)).expect("create");
    k.seen(ofU2).added(node("u2").rv(20).label("team", "a")).quiet();
    Effect.Request merge = k.conflict(create).expect("merge");
    NodeRecord merged = Driver.written(merge);
    assertThat(merged.content()).isEqualTo(things().label("team", "a").label("x", "1").content());
    assertThat(merged.uid()).isEmpty();
    k.ok(merge, 30);
    assertThat(k.expectPatch("restore").body()).contains("\"x\":\"1\"").contains("u2");
  }

  @Test
  @DisplayName("Two late tombstones of one name, one key: the later life has the last word")
  void twoLateTombstones() {
    NodeRecord byHand = record().gen(1).uid("").rv(30).at(31).label("hand", "h").build();
    Driver k = Driver.empty();
    Node u2 = node("u2").rv(9);
    Node u3 = node("u3").rv(12);
    k.added(u2).modified(u2.rv(10).label("x", "older"));
    Effect.Request create = k.deleted(u2.rv(11)).expect("create");
    k.added(u3).modified(u3.rv(13).label("x", "newer")).deleted(u3.rv(14)).seen(byHand).quiet();
    NodeRecord first = k.stored(k.conflict(create).expect("merge"), 32);
    assertThat(first.content().get(label("x"))).isEqualTo("older");
    NodeRecord second = k.stored(k.expect("merge"), 33);
    assertThat(second.content().get(label("x"))).isEqualTo("newer");
    assertThat(second.words().keys()).containsOnly(Map.entry(label("x"), 13L));
    k.quiet();
  }

  @Test
  @DisplayName("Two tombstones of one name are written in the order of their lives")
  void twoTombstones() {
    Driver k = Driver.with(teamA());
    Node u2 = node("u2").rv(9);
    Effect.PatchNode lost = k.added(u2).expectPatch("restore");
    k.modified(u2.rv(10).label("x", "older")).deleted(u2.rv(11));
    Node u3 = node("u3").rv(12);
    k.added(u3).modified(u3.rv(13).label("x", "newer")).deleted(u3.rv(14)).quiet();
    NodeRecord first = k.stored(k.gone(lost).after(1_000).expect("merge"), 20);
    assertThat(first.content().get(label("x"))).isEqualTo("older");
    NodeRecord second = k.stored(k.expect("merge"), 21);
    assertThat(second.content().get(label("x"))).isEqualTo("newer");
    k.quiet();
  }

  @Test
  @DisplayName("R16: a uid change inside MODIFIED is a deletion and a creation")
  void r16Modified() {
    Node u1 = node("u1").rv(6).label("team", "a");
    Driver k = Driver.started(6, List.of(u1.state()), List.of(teamA()));
    k.modified(u1.rv(7).label("team", "b")).quiet();
    Effect.Request capture = k.modified(node("u2").rv(9)).expect("capture");
    assertThat(Driver.written(capture).content().get(label("team"))).isEqualTo("b");
    assertThat(k.ok(capture, 10).expectPatch("restore").uid()).isEqualTo("u2");
  }

  @Test
  @DisplayName("R16: likewise by a re-list")
  void r16List() {
    Node u1 = node("u1").rv(6).label("team", "a");
    Driver k = Driver.started(6, List.of(u1.state()), List.of(teamA()));
    k.modified(u1.rv(7).label("team", "b")).quiet();
    k.on(new Input.NodeListStarted());
    k.on(new Input.NodesListed(List.of(node("u2").rv(9).state()), 9));
    Effect.Request capture = k.expect("capture");
    assertThat(k.ok(capture, 10).expectPatch("restore").uid()).isEqualTo("u2");
  }

  @Test
  @DisplayName("A life that was only found is restored from a record as new as itself: read first")
  void foundLife() {
    Driver k = Driver.started(6, List.of(), List.of(teamA()));
    k.on(new Input.NodeListStarted());
    k.on(new Input.NodesListed(List.of(node("u2").rv(9).state()), 9));
    Effect.Request read = k.expect("read-record");
    NodeRecord newer = record().gen(4).uid("u2").rv(7).at(8).label("team", "b").build();
    Effect.Request capture = k.read(read, newer).after(500).expect("capture");
    assertThat(Driver.written(capture).content().isEmpty()).isTrue();
  }

  @Test
  @DisplayName("What a list shows gone together with the first marker, a person took away")
  void goneWithTheMarker() {
    Driver k = Driver.started(6, List.of(), List.of(teamA()));
    Node u2 = node("u2").rv(9).label("x", "1");
    k.conflict(k.added(u2).expect("restore"));
    k.on(new Input.NodeListStarted());
    NodeState restored = node("u2").rv(12).label("team", "a").marked(marker(teamA(), "u2")).state();
    k.on(new Input.NodesListed(List.of(restored), 12)).after(500);
    k.take();
    k.seen(
        record()
            .gen(4)
            .uid("")
            .rv(5)
            .at(14)
            .label("team", "a")
            .label("x", "9")
            .older(3, "u1", 5, things().label("team", "a"))
            .build());
    assertThat(k.after(500).expectPatch("restore").body()).doesNotContain("labels/x");
  }

  @Test
  @DisplayName(
      "What was set and unset before the first record, an earlier life does not bring back")
  void unsetBeforeTheFirstRecord() {
    Driver k = Driver.started(6, List.of(), List.of());
    Node u2 = node("u2").rv(9);
    k.added(u2).modified(u2.rv(10).label("x", "1").label("team", "a"));
    Effect.Request create = k.modified(u2.rv(11).without("x")).after(500).expect("create");
    assertThat(Driver.written(create).wordOn(label("x"))).isEqualTo(11);
  }

  @Test
  @DisplayName("R17: the record was deleted while its node lives: written again from the node")
  void r17() {
    Node u1 = node("u1").rv(6).label("team", "a");
    Driver k = Driver.started(6, List.of(u1.state()), List.of(teamA()));
    k.forgotten(10);
    Effect.Request read = k.expect("read-node");
    k.look(read, u1);
    assertThat(Driver.written(k.expect("create")).content()).isEqualTo(teamA().content());
  }

  @Test
  @DisplayName("R18: the record was deleted while its node is away: nothing comes back")
  void r18() {
    Driver k = Driver.with(teamA());
    k.forgotten(10).quiet().added(node("u2").rv(12)).quiet().after(600_000).quiet();
  }

  @Test
  @DisplayName("R19: a hand edit is obeyed by a living node, three-way")
  void r19Living() {
    Node u1 = node("u1").rv(6).label("team", "a").label("x", "1");
    NodeRecord before =
        record().gen(3).uid("u1").rv(6).at(7).label("team", "a").label("x", "1").build();
    Driver k = Driver.started(7, List.of(u1.state()), List.of(before));
    k.seen(
        record()
            .gen(3)
            .uid("u1")
            .rv(6)
            .at(8)
            .label("team", "b")
            .editedFrom(things().label("team", "a").label("x", "1"))
            .build());
    Effect.Request write = k.expect("hand-edit");
    assertThat(Driver.written(write).uid()).isEmpty();
    assertThat(Driver.written(write).versions()).hasSize(1);
    k.stored(write, 9);
    String body = k.expectPatch("restore").body();
    assertThat(body).contains("\"team\":\"b\"").contains("\"x\":null");
  }

  @Test
  @DisplayName("R19: a hand edit of an absent node's record is kept from older tombstones")
  void r19Absent() {
    Driver k = Driver.with(teamA());
    k.seen(
        record()
            .gen(3)
            .uid("u1")
            .rv(5)
            .at(20)
            .label("team", "b")
            .editedFrom(things().label("team", "a"))
            .build());
    k.stored(k.expect("hand-edit"), 21);
    k.deleted(node("u1").rv(15).label("team", "a")).quiet();
    k.deleted(node("u9").rv(16)).quiet();
    assertThat(k.added(node("u2").rv(22)).expectPatch("restore").body()).contains("\"team\":\"b\"");
  }

  @Test
  @DisplayName("R20: a record that cannot be read is reported once, left alone, and costs no other")
  void r20() {
    Unreadable bad = new Unreadable("bad", new Origin("cm", 3, ""), Defect.BROKEN, "bad JSON");
    Driver k = Driver.started(6, List.of(), List.of(bad, teamA()));
    Node sick = node("u7").name("bad").rv(9).label("x", "1");
    k.added(sick).quiet().modified(sick.rv(10).label("x", "2")).after(1_000).quiet();
    k.deleted(sick.rv(11)).after(1_000).quiet();
    assertThat(k.reasons()).containsOnlyOnce(Reason.RECORD_UNREADABLE);
    k.added(node("u2").rv(12)).expect("restore");
  }

  @Test
  @DisplayName("R21: history went back: guards and tombstones are dropped, all is compared afresh")
  void r21() {
    Node u1 = node("u1").rv(50).label("team", "a");
    NodeRecord record = record().gen(3).uid("u1").rv(50).at(51).label("team", "a").build();
    Driver k = Driver.started(60, List.of(u1.state()), List.of(record));
    k.on(new Input.NodeListStarted());
    k.on(new Input.NodesListed(List.of(node("u1").rv(20).label("team", "b").state()), 30));
    NodeRecord before = record().gen(3).uid("u1").rv(10).at(11).label("team", "a").build();
    k.on(new Input.RecordsListed(List.of(before), 30));
    k.read(k.expect("read-record"), before).after(1_000);
    assertThat(k.reasons()).contains(Reason.HISTORY_RESET);
    assertThat(Driver.written(k.expect("capture")).content().get(label("team"))).isEqualTo("b");
  }

  @Test
  @DisplayName("A taint that the kubelet registered weaker is put right at once")
  void quarantine() {
    NodeRecord record = record().uid("u1").rv(5).at(6).taint("quarantine", "full").build();
    Driver k = Driver.with(record);
    String body =
        k.added(node("u2").rv(9).taint("quarantine", "none")).expectPatch("restore").body();
    assertThat(body).contains("\"value\":\"full\"").doesNotContain("none");
    assertThat(record.content().get(taint("quarantine"))).isEqualTo("full");
  }
}
