package dev.nodekeeper.core.keep;

import static dev.nodekeeper.core.Given.marker;
import static dev.nodekeeper.core.Given.node;
import static dev.nodekeeper.core.Given.record;
import static dev.nodekeeper.core.Given.things;
import static dev.nodekeeper.core.keep.Driver.teamA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given;
import dev.nodekeeper.core.Given.Node;
import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored.Defect;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Stored.Unreadable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("When the Keeper acts, waits and speaks")
class KeeperPaceTest {

  private static NodeRecord tainted() {
    return record().gen(3).uid("u1").rv(5).at(6).label("team", "a").taint("d", "x").build();
  }

  // ---- when it wants to be woken

  @Test
  @DisplayName("Before it has listed it wants nothing; then the resync, or what is due before it")
  void wakes() {
    Driver k = Driver.blind();
    assertThat(k.wakesIn()).isEqualTo(-1);
    k.on(new Input.NodesListed(List.of(), 6));
    assertThat(k.wakesIn()).isEqualTo(-1);
    k.on(new Input.RecordsListed(List.of(), 6));
    assertThat(k.wakesIn()).isEqualTo(300_000);
    k.added(node("u1").rv(9)).modified(node("u1").rv(10).label("team", "a"));
    assertThat(k.wakesIn()).isEqualTo(100);
    k.after(100).expect("create");
    assertThat(k.wakesIn()).isEqualTo(299_900);
    k.after(299_900);
    assertThat(k.wakesIn()).isEqualTo(300_000);
  }

  @Test
  @DisplayName("It is busy while a request is under way or something settles, else it is idle")
  void busy() {
    Driver k = Driver.empty();
    assertThat(k.busy()).isFalse();
    Node u1 = node("u1").rv(10).label("team", "a");
    k.added(u1);
    assertThat(k.busy()).isTrue();
    Effect.Request create = k.after(100).expect("create");
    assertThat(k.busy()).isTrue();
    k.stored(create, 12);
    assertThat(k.busy()).isFalse();

    k = Driver.with(record().gen(2).uid("u1").rv(5).at(6).build());
    assertThat(k.busy()).isFalse();
    k.after(59_499);
    assertThat(k.busy()).isFalse();
    k.after(1);
    assertThat(k.busy()).isTrue();
  }

  @Test
  @DisplayName("A label that never rests is captured 500 ms after its first change")
  void flapping() {
    Node u1 = node("u1").rv(6).label("team", "a");
    Driver k = Driver.started(6, List.of(u1.state()), List.of(teamA()));
    k.after(5_000);
    for (int i = 0; i < 8; i++) {
      k.modified(u1.rv(10 + i).label("team", "v" + i)).quiet().after(60).quiet();
    }
    k.modified(u1.rv(30).label("team", "last")).after(19).quiet().after(1).expect("capture");
  }

  @Test
  @DisplayName("Each change settles for itself: an earlier one that was captured does not hurry it")
  void settlesAfresh() {
    Node u1 = node("u1").rv(6).label("team", "a");
    Driver k = Driver.started(6, List.of(u1.state()), List.of(teamA()));
    k.modified(u1.rv(10).label("team", "b")).after(100);
    k.stored(k.expect("capture"), 11);
    k.after(450).modified(u1.rv(12).label("team", "c")).after(99).quiet();
    k.after(1).expect("capture");
  }

  @Test
  @DisplayName("A change that was taken back costs nothing, and does not hurry the next one")
  void takenBack() {
    Node u1 = node("u1").rv(6).label("team", "a");
    Driver k = Driver.started(6, List.of(u1.state()), List.of(teamA()));
    k.modified(u1.rv(10).label("team", "b")).after(50);
    k.modified(u1.rv(11).label("team", "a")).after(440).quiet();
    k.modified(u1.rv(12).label("team", "c")).after(99).quiet().after(1).expect("capture");
  }

  // ---- restores

  @Test
  @DisplayName("A patch that succeeded but never shows up is sent again after 5 seconds")
  void noEcho() {
    Driver k = Driver.with(teamA());
    k.ok(k.added(node("u2").rv(10)).expect("restore"), 11).quiet();
    k.modified(node("u2").rv(10)).after(4_999).quiet().after(1).expect("restore");
  }

  @Test
  @DisplayName("News of the node end the wait after a conflict; without, it is waited out")
  void newsAfterConflict() {
    Driver k = Driver.with(teamA());
    k.conflict(k.added(node("u2").rv(10)).expect("restore")).quiet();
    k.modified(node("u2").rv(11).annotation("beat", "1")).expect("restore");
  }

  @Test
  @DisplayName("News that were there before the conflict was, end it at once")
  void newsBeforeConflict() {
    Driver k = Driver.with(teamA());
    Effect.Request patch = k.added(node("u2").rv(10)).expect("restore");
    k.modified(node("u2").rv(11).annotation("beat", "1")).quiet();
    k.conflict(patch).expect("restore");
  }

  @Test
  @DisplayName(
      "A node that is not there for our patch: the watch has to tell; asked again after 1 s")
  void patchGone() {
    Driver k = Driver.with(teamA());
    k.gone(k.added(node("u2").rv(10)).expect("restore")).quiet();
    k.after(999).quiet().after(1).expect("restore");
  }

  @Test
  @DisplayName("The answer to a patch of an earlier life says nothing about this one")
  void answersOfAnEarlierLife() {
    for (Outcome answer :
        List.of(
            new Outcome.Ok(new Origin("", 11, "")),
            new Outcome.Gone(),
            new Outcome.Conflict("x"))) {
      Driver k = Driver.with(teamA());
      Effect.Request old = k.added(node("u2").rv(10)).expect("restore");
      k.deleted(node("u2").rv(11)).added(node("u3").rv(12)).quiet();
      Effect.PatchNode next = k.done(old, answer).expectPatch("restore");
      assertThat(next.uid()).isEqualTo("u3");
      assertThat(next.contentType()).as("first try of its life").contains("merge-patch");
      assertThat(k.told(Reason.RESTORED)).isZero();
    }
  }

  @Test
  @DisplayName("After a success conflicts count from the beginning")
  void conflictsCountAnew() {
    Driver k = Driver.with(tainted());
    Node u2 = node("u2").rv(10);
    Effect.Request patch = k.added(u2).expect("restore");
    for (int i = 0; i < 2; i++) {
      k.modified(u2.rv(11 + i).annotation("beat", "" + i));
      patch = k.conflict(patch).expect("restore");
    }
    k.ok(patch, 20).modified(u2.rv(20)); // a webhook took it out
    Effect.PatchNode next = k.expectPatch("restore");
    assertThat(next.contentType()).contains("merge-patch");
    k.modified(u2.rv(21).annotation("beat", "x")).conflict(next).expect("restore");
    assertThat(k.told(Reason.RESTORED)).isEqualTo(1);
  }

  @Test
  @DisplayName("A restore that changes nothing counts too: it must not go on for ever")
  void noChange() {
    Driver k = Driver.with(teamA());
    Node u2 = node("u2").rv(10);
    k.added(u2);
    for (int i = 0; i < 3; i++) {
      k.ok(k.expect("restore"), 10).after(5_000);
    }
    k.quiet();
    assertThat(k.told(Reason.RESTORE_LIMIT)).isEqualTo(1);
  }

  @Test
  @DisplayName("The pause ends by itself, and the next one is longer")
  void pauses() {
    Driver k = Driver.with(teamA());
    Node u2 = node("u2").rv(10);
    k.added(u2);
    long rv = 10;
    for (int i = 0; i < 3; i++) {
      k.ok(k.expect("restore"), rv += 2).modified(u2.rv(rv));
    }
    // When the watch has shown our last one, the end of the pause is what is due next.
    long pause = 5_000 + k.quiet().after(5_000).quiet().wakesIn();
    assertThat(pause).isBetween(225_000L, 300_000L);
    k.after(pause - 5_001).quiet();
    k.ok(k.after(1).expect("restore"), rv += 2).modified(u2.rv(rv)).quiet();
    k.after(2 * pause - 1).quiet().after(1).expect("restore");
    assertThat(k.told(Reason.RESTORE_LIMIT)).isEqualTo(2);
  }

  @Test
  @DisplayName("Keys that stay in the record are told, once in a life")
  void withheld() {
    Driver k = Driver.with(record().uid("u1").at(6).label("team", "a").label("b d", "x").build());
    Node u2 = node("u2").rv(10);
    Effect.Request patch = k.added(u2).expect("restore");
    k.modified(u2.rv(11).annotation("beat", "1")).conflict(patch).expect("restore");
    assertThat(k.told(Reason.KEYS_WITHHELD)).isEqualTo(1);
  }

  @Test
  @DisplayName("One restore that we send and see is one restore, not two")
  void countedOnce() {
    Driver k = Driver.with(teamA());
    Node u2 = node("u2").rv(10);
    k.added(u2);
    for (int i = 1; i <= 2; i++) {
      Effect.PatchNode patch = k.expectPatch("restore");
      k.ok(patch, 10 + i * 10);
      k.modified(u2.rv(10 + i * 10).label("team", "a").marked(Driver.marker(patch))).quiet();
      // Another machine's record: the same content must be restored again, and again.
      k.seen(record().gen(3 + i).uid("u1").rv(5).at(100 + i).label("team", "a").build());
    }
    k.expect("restore");
    assertThat(k.told(Reason.RESTORE_LIMIT)).isZero();
  }

  @Test
  @DisplayName(
      "Restores by other replicas count as well; a marker that nobody vouches for does not")
  void restoresOfOthers() {
    Driver k = Driver.with(teamA());
    Node u2 = node("u2").rv(10);
    Effect.Request patch = k.added(u2).expect("restore");
    for (int i = 0; i < 3; i++) {
      int gen = 3 + i;
      k.modified(u2.rv(20 + i).label("team", "a").marked(marker(gen, "u2")));
      k.seen(record().gen(gen + 1).uid("u1").rv(5).at(100 + i).label("team", "a").build());
    }
    k.conflict(patch).quiet();
    assertThat(k.told(Reason.RESTORE_LIMIT)).isEqualTo(1);

    k = Driver.with(teamA());
    u2 = node("u2").rv(10);
    patch = k.added(u2).expect("restore");
    for (int i = 0; i < 3; i++) {
      k.modified(u2.rv(20 + i).marked("2.forged" + i));
    }
    k.conflict(patch).expect("restore");
  }

  // ---- blind writes

  private static Driver restored(Node u2) {
    Driver k = Driver.with(tainted());
    Effect.PatchNode restore = k.added(u2).expectPatch("restore");
    k.ok(restore, 11);
    return k.modified(u2.rv(11).label("team", "a").taint("d", "x").marked(Driver.marker(restore)));
  }

  private static Driver sweptAfter(long millis) {
    Node u2 = node("u2").rv(10);
    Driver k = restored(u2);
    return k.after(millis).modified(u2.rv(12).withoutTaint("d").taint("theirs", "1"));
  }

  @Test
  @DisplayName("A taint command that had not seen our restore, up to 10 s later, is no wish")
  void sweptSoon() {
    assertThat(sweptAfter(10_000).expectPatch("restore").body()).contains("\"key\":\"d\"");
  }

  @Test
  @DisplayName("... later it is one")
  void sweptLate() {
    assertThat(Driver.written(sweptAfter(10_001).expect("capture")).content())
        .isEqualTo(things().label("team", "a").taint("theirs", "1").content());
  }

  @Test
  @DisplayName("... and so is one that only a list shows: it may be two writes")
  void sweptInAList() {
    Node u2 = node("u2").rv(10);
    Driver k = restored(u2);
    k.on(new Input.NodeListStarted());
    NodeState now = u2.rv(13).withoutTaint("d").taint("theirs", "1").state();
    k.on(new Input.NodesListed(List.of(now), 13));
    assertThat(Driver.written(k.expect("capture")).content())
        .isEqualTo(things().label("team", "a").taint("theirs", "1").content());
  }

  @Test
  @DisplayName("What another replica gives back after one, of an older record, is no wish either")
  void staleAfterSweep() {
    Node u1 = node("u1").rv(5).label("team", "a").taint("d", "x");
    Driver k = Driver.started(6, List.of(u1.state()), List.of(tainted()));
    k.modified(u1.rv(8).withoutTaint("d")).deleted(u1.rv(9));
    k.stored(k.expect("capture"), 11);
    // The other one restored before it had seen that, and gave back what the command swept away.
    Node u2 = node("u2").rv(10);
    k.conflict(k.added(u2).expect("restore")).quiet();
    Driver other = restored(u2);
    Effect.Request taken = k.modified(u2).expect("restore");
    u2.rv(12).withoutTaint("d").taint("theirs", "1");
    String again = Driver.marker(other.modified(u2).expectPatch("restore"));
    Effect.Request marked = k.modified(u2).conflict(taken).expect("restore");
    k.modified(u2.rv(13).taint("d", "x").marked(again)).conflict(marked);
    k.ok(k.expect("taints-first"), 14).modified(u2.rv(14).withoutTaint("d"));
    Effect.PatchNode last = k.expectPatch("restore");
    k.ok(last, 15).modified(u2.rv(15).marked(Driver.marker(last))).after(1_000);
    assertThat(Driver.written(k.expect("capture")).content())
        .isEqualTo(things().label("team", "a").taint("theirs", "1").content());
  }

  // ---- failures

  @Test
  @DisplayName("Failures wait longer each time, and a success makes them short again")
  void longerEachTime() {
    Driver k = Driver.with(teamA());
    Effect.Request patch = k.added(node("u2").rv(10)).expect("restore");
    long before = 0;
    for (int i = 0; i < 4; i++) {
      k.cut(patch).quiet();
      long wait = k.wakesIn();
      assertThat(wait).isGreaterThan(before * 3 / 2);
      before = wait;
      patch = k.after(wait).expect("restore");
    }
    k.ok(patch, 20).modified(node("u2").rv(20));
    k.cut(k.expect("restore"));
    assertThat(k.wakesIn()).isLessThanOrEqualTo(100);
    assertThat(k.told(Reason.RETRY)).isEqualTo(5);
  }

  @Test
  @DisplayName("A write that may have happened: the record is read before anything else is written")
  void maybeHappened() {
    Node u1 = node("u1").rv(7).label("team", "b");
    Driver k = Driver.started(8, List.of(u1.state()), List.of(teamA()));
    k.cut(k.after(100).expect("capture")).after(200).expect("read-record");

    k = Driver.empty();
    k.added(u1).after(100);
    k.cut(k.expect("create")).after(200).expect("read-record");

    k = Driver.with(teamA());
    k.cut(k.added(node("u2").rv(10)).expect("restore")).after(200).expect("restore");
  }

  @Test
  @DisplayName("A reply from a revision that the watch has reached tells nothing new")
  void replyAtTheHorizon() {
    Driver k = Driver.empty();
    Node u1 = node("u1").rv(10).label("team", "a");
    k.added(u1).after(100);
    Effect.Request create = k.expect("create");
    k.on(new Input.RecordProgress(12)).ok(create, 12);
    assertThat(k.counts().records()).as("it was deleted since, or we would know it").isZero();

    k = Driver.empty();
    k.added(node("u1").rv(10).label("team", "a")).after(100);
    k.ok(k.expect("create"), 12);
    assertThat(k.counts().records()).isEqualTo(1);
  }

  // ---- what people are told

  @Test
  @DisplayName("Captures, hand edits, restores and lost races are each told as what they are")
  void told() {
    Driver k = Driver.with(record().preSeeded().at(6).label("team", "a").build());
    k.stored(k.expect("hand-edit"), 7);
    assertThat(k.reasons()).containsExactly(Reason.HAND_EDIT);
    Node u2 = node("u2").rv(10);
    Effect.PatchNode patch = k.added(u2).expectPatch("restore");
    k.ok(patch, 11);
    k.modified(u2.rv(11).label("team", "a").marked(Driver.marker(patch)));
    assertThat(k.reasons()).containsExactly(Reason.HAND_EDIT, Reason.RESTORED);
    k.modified(u2.rv(12).label("team", "b"));
    k.conflict(k.after(100).expect("capture"));
    assertThat(k.reasons()).endsWith(Reason.RETRY);
    k.seen(record().gen(2).uid("u2").rv(11).at(13).label("team", "a").build());
    k.stored(k.expect("capture"), 14);
    assertThat(k.reasons()).endsWith(Reason.CAPTURED);
  }

  @Test
  @DisplayName("A record that cannot be read is told of a living node")
  void unreadable() {
    Unreadable bad = new Unreadable(Given.NAME, new Origin("cm", 3, ""), Defect.BROKEN, "bad");
    Driver k = Driver.started(6, List.of(), List.of(bad));
    k.added(node("u2").rv(9)).quiet();
    assertThat(k.told(Reason.RECORD_UNREADABLE)).isEqualTo(1);
  }

  @Test
  @DisplayName("What does not fit into a record is told, and the rest is kept")
  void trimmed() {
    Node u1 = node("u1").rv(10);
    for (int i = 0; i < 4_000; i++) {
      u1.label("k".repeat(50) + i, "v".repeat(63));
    }
    Driver k = Driver.empty();
    k.added(u1).after(100);
    assertThat(Driver.written(k.expect("create")).content().size()).isBetween(1_000, 3_999);
    assertThat(k.told(Reason.RECORD_TRIMMED)).isEqualTo(1);
  }

  @Test
  @DisplayName("Entries of a hand edit that no node can take are told; a good edit is not")
  void odd() {
    String json = "{\"labels\": {\"team\": \"a\", \"%s\": \"x\"}}";
    for (String key : List.of("bad key", "good")) {
      Map<String, String> data = Map.of(RecordCodec.RECORD, json.formatted(key));
      Driver k =
          Driver.started(
              6, List.of(), List.of(RecordCodec.read(Given.NAME, new Origin("cm", 3, ""), data)));
      k.expect("hand-edit");
      assertThat(k.told(Reason.RECORD_ODD)).isEqualTo(key.equals("good") ? 0 : 1);
    }
  }

  @Test
  @DisplayName("A restore that does not land in 20 tries is told, once")
  void neverLands() {
    Driver k = Driver.with(teamA());
    Node u2 = node("u2").rv(10);
    Effect.Request patch = k.added(u2).expect("restore");
    for (int i = 1; i <= 25; i++) {
      k.modified(u2.rv(10 + i).annotation("beat", "" + i));
      patch = k.conflict(patch).expect("restore");
      assertThat(k.told(Reason.REQUEST_REFUSED)).isEqualTo(i < 20 ? 0 : 1);
    }
  }

  @Test
  @DisplayName("The same is not told twice in a life, until 16 other things were")
  void toldOnce() {
    Driver k = Driver.with(teamA());
    Effect.Request patch = k.added(node("u2").rv(10)).expect("restore");
    for (int i = 0; i < 17; i++) {
      for (int times = i < 15 ? 2 : 1; times > 0; times--) {
        k.done(patch, new Outcome.Refused(403, "reason " + i));
        patch = k.after(300_000).expect("restore");
      }
    }
    assertThat(k.told(Reason.REQUEST_REFUSED)).isEqualTo(17);
    k.done(patch, new Outcome.Refused(403, "reason 0"));
    assertThat(k.told(Reason.REQUEST_REFUSED)).isEqualTo(18);
  }

  @Test
  @DisplayName("Of a whole fleet that is found, those come first that lack what keeps pods off")
  void fleetInOrder() {
    List<NodeRecord> records = new ArrayList<>();
    List<NodeState> nodes = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      var remembered = record().name("n" + i).gen(1).uid("old").rv(5).at(6).label("team", "a");
      records.add((i % 4 == 3 ? remembered.taint("d", "x") : remembered).build());
      nodes.add(node("new").name("n" + i).rv(8).state());
    }
    Driver k = Driver.started(10, nodes, records);
    List<String> order = new ArrayList<>();
    for (List<Effect.Request> sent = k.take(); !sent.isEmpty(); sent = k.take()) {
      for (Effect.Request request : sent) {
        order.add(request.node());
        k.ok(request, 1000 + order.size());
      }
    }
    assertThat(order).hasSize(200);
    assertThat(order.subList(0, 50))
        .allSatisfy(name -> assertThat(Integer.parseInt(name.substring(1)) % 4).isEqualTo(3));
  }
}
