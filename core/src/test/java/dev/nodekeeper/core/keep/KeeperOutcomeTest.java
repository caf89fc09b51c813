package dev.nodekeeper.core.keep;

import static dev.nodekeeper.core.Given.marker;
import static dev.nodekeeper.core.Given.node;
import static dev.nodekeeper.core.Given.record;
import static dev.nodekeeper.core.Given.things;
import static dev.nodekeeper.core.keep.Driver.teamA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given;
import dev.nodekeeper.core.Given.Node;
import dev.nodekeeper.core.codec.RestorePatch;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The Keeper, when requests fail, people hurry, and time passes")
class KeeperOutcomeTest {

  private static NodeRecord tainted() {
    return record().gen(3).uid("u1").rv(5).at(6).label("team", "a").taint("dedicated", "a").build();
  }

  @Test
  @DisplayName("A conflict makes the precondition what was looked at; after 3 the taints go alone")
  void busyNode() {
    Driver k = Driver.with(tainted());
    Node u2 = node("u2").rv(10);
    Effect.PatchNode patch = k.added(u2).expectPatch("restore");
    assertThat(patch.contentType()).isEqualTo(RestorePatch.MERGE);
    for (int i = 0; i < 2; i++) {
      k.modified(u2.rv(11 + i).annotation("beat", "" + i));
      patch = k.conflict(patch).expectPatch("restore");
      assertThat(patch.contentType()).isEqualTo(RestorePatch.JSON);
      assertThat(patch.body()).contains(NodeState.MARKER.replace("/", "~1"));
    }
    k.modified(u2.rv(14).annotation("beat", "x"));
    patch = k.conflict(patch).expectPatch("taints-first");
    assertThat(patch.body()).contains("/spec/taints").doesNotContain("restored", "team");
    k.ok(patch, 15).quiet();
    assertThat(k.report(Reason.NOTED).message()).isEqualTo("ahead of the rest: taints: 1");
    assertThat(patch.gift().keys()).isEqualTo(Map.of(Kind.TAINT, 1));
    patch = k.modified(u2.rv(15).taint("dedicated", "a")).expectPatch("restore");
    assertThat(patch.contentType()).isEqualTo(RestorePatch.JSON);
    assertThat(patch.body()).contains("team").doesNotContain("/spec/taints");
    k.ok(patch, 16).modified(u2.rv(16).label("team", "a").marked(Driver.marker(patch)));
    k.quiet().after(600_000).quiet();
  }

  @Test
  @DisplayName("A conflict without news is repeated, later and later, never at once")
  void conflictWithoutNews() {
    Driver k = Driver.with(teamA());
    Effect.PatchNode patch = k.added(node("u2").rv(10)).expectPatch("restore");
    k.conflict(patch).quiet().after(1).quiet();
    k.after(2_000).expect("restore");
  }

  @Test
  @DisplayName("An unknown outcome is waited out, looked at again, and honours Retry-After")
  void unknown() {
    Driver k = Driver.with(teamA());
    Effect.PatchNode patch = k.added(node("u2").rv(10)).expectPatch("restore");
    k.done(patch, new Outcome.Unknown("429", 7_000)).quiet().after(6_900).quiet();
    k.modified(node("u2").rv(11).annotation("beat", "1")).quiet(); // news do not shorten it
    k.after(200).expect("restore");
  }

  @Test
  @DisplayName("A create whose reply was lost is not repeated when the watch shows it")
  void lostCreate() {
    Driver k = Driver.empty();
    Node u1 = node("u1").rv(10).label("team", "a");
    k.added(u1).after(100);
    Effect.Request create = k.expect("create");
    k.cut(create).quiet();
    k.seen(record().gen(1).uid("u1").rv(10).at(12).label("team", "a").build());
    k.after(60_000).quiet();
  }

  @Test
  @DisplayName(
      "A 404 on an update never turns into a create: the record is read, the watch decides")
  void goneIsNoCreate() {
    Node u1 = node("u1").rv(7).label("team", "b");
    Driver k = Driver.started(8, List.of(u1.state()), List.of(teamA()));
    Effect.Request update = k.after(100).expect("capture");
    k.gone(update).quiet();
    Effect.Request read = k.after(1_000).expect("read-record");
    k.on(new Input.RecordRead((Effect.ReadRecord) read, Optional.empty())).quiet();
    k.deleted(u1.rv(9)).take().forEach(r -> assertThat(r).isInstanceOf(Effect.ReadRecord.class));
    k.forgotten(10).after(600_000);
    k.take().forEach(r -> assertThat(r).isNotInstanceOf(Effect.CreateRecord.class));
    k.quiet();
  }

  @Test
  @DisplayName("A write that lost the race reads the record, unless the watch is faster")
  void lostRace() {
    Node u1 = node("u1").rv(7).label("team", "b");
    Driver k = Driver.started(8, List.of(u1.state()), List.of(teamA()));
    Effect.Request update = k.after(100).expect("capture");
    k.conflict(update).quiet().after(500).quiet();
    k.seen(record().gen(4).uid("u1").rv(7).at(12).label("team", "b").build()).quiet();
    k.after(60_000).quiet();

    k = Driver.started(8, List.of(u1.state()), List.of(teamA()));
    k.conflict(k.after(100).expect("capture")).after(1_000);
    k.read(
        k.expect("read-record"), record().gen(4).uid("u1").rv(7).at(12).label("team", "b").build());
    k.quiet();
  }

  @Test
  @DisplayName(
      "A create that lost the race, to a record that is gone by the next list: tried again")
  void lostRaceThenListed() {
    Driver k = Driver.empty();
    Node u1 = node("u1").rv(10).label("team", "a");
    k.added(u1).after(100);
    k.conflict(k.expect("create")).quiet();
    k.on(new Input.NodeListStarted());
    k.on(new Input.NodesListed(List.of(u1.state()), 20));
    k.on(new Input.RecordsListed(List.of(), 20));
    List<Effect.Request> asked = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      List<Effect.Request> now = k.after(1_000).take();
      asked.addAll(now);
      for (Effect.Request request : now) {
        if (request instanceof Effect.ReadRecord read) {
          k.on(new Input.RecordRead(read, Optional.empty()));
        }
      }
    }
    assertThat(asked).hasAtLeastOneElementOfType(Effect.CreateRecord.class);
  }

  @Test
  @DisplayName("A refusal is reported once and repeated rarely")
  void refused() {
    Driver k = Driver.with(teamA());
    Effect.Request patch = k.added(node("u2").rv(10)).expect("restore");
    for (int i = 0; i < 3; i++) {
      k.done(patch, new Outcome.Refused(403, "forbidden")).quiet();
      patch = k.after(300_000).expect("restore");
    }
    assertThat(k.reasons()).containsOnlyOnce(Reason.REQUEST_REFUSED);
  }

  @Test
  @DisplayName("Where a node does not take the whole, the taints go alone, and the rest is tried")
  void refusedWithTaints() {
    Driver k = Driver.with(tainted());
    Node u2 = node("u2").rv(10);
    Effect.PatchNode patch = k.added(u2).expectPatch("restore");
    k.done(patch, new Outcome.Refused(422, "annotations: Too long")).quiet();
    patch = k.after(1_000).expectPatch("taints-first");
    assertThat(patch.body()).contains("/spec/taints").doesNotContain("restored", "team");
    k.ok(patch, 11).quiet();
    patch = k.modified(u2.rv(11).taint("dedicated", "a")).expectPatch("restore");
    assertThat(patch.body()).contains("team").doesNotContain("/spec/taints");
    k.done(patch, new Outcome.Refused(422, "annotations: Too long")).quiet();
    k.after(300_000).expect("restore");
  }

  @Test
  @DisplayName("After 3 restores in one life: a pause, said so; a hand edit ends it")
  void fight() {
    Driver k = Driver.with(teamA());
    Node u2 = node("u2").rv(10);
    k.added(u2);
    for (int i = 1; i <= 3; i++) {
      Effect.PatchNode patch = k.expectPatch("restore");
      k.ok(patch, 10 + i * 2);
      k.modified(u2.rv(10 + i * 2)); // a webhook took it all out again
    }
    k.quiet().modified(u2.rv(30).annotation("beat", "1")).quiet().after(60_000).quiet();
    assertThat(k.reasons()).contains(Reason.RESTORE_LIMIT);

    k.seen(
        record()
            .gen(3)
            .uid("u1")
            .rv(5)
            .at(40)
            .label("team", "b")
            .editedFrom(things().label("team", "a"))
            .build());
    k.stored(k.expect("hand-edit"), 41);
    k.expect("restore");
  }

  @Test
  @DisplayName("Labels settle for 100 ms, 500 ms at most; taints and deletions go at once")
  void settling() {
    Driver k = Driver.empty();
    Node u1 = node("u1").rv(10);
    k.added(u1).after(1_000).quiet();
    k.modified(u1.rv(11).label("x", "0")).after(99).quiet().after(1).expect("create");

    k = Driver.empty();
    u1 = node("u1").rv(10);
    k.added(u1).after(1_000).quiet();
    for (int i = 0; i < 6; i++) {
      k.modified(u1.rv(20 + i).label("x", "" + i)).quiet().after(80);
      if (i < 5) {
        k.quiet();
      }
    }
    k.after(20).expect("create"); // 500 ms after the first change, though never quiet

    k = Driver.empty();
    k.added(node("u1").rv(10)).modified(node("u1").rv(11).taint("t", "")).expect("create");
    k = Driver.empty();
    k.added(node("u1").rv(10)).modified(node("u1").rv(11).label("x", "")).quiet();
    k.deleted(node("u1").rv(12).label("x", "")).expect("create");
  }

  @Test
  @DisplayName("A heartbeat has no effects at all")
  void heartbeat() {
    Node u1 = node("u1").rv(10).label("team", "a");
    Driver k = Driver.started(11, List.of(u1.state()), List.of(teamA()));
    k.quiet();
    for (int i = 0; i < 1_000; i++) {
      k.modified(u1.rv(12 + i).annotation("beat", "" + i));
    }
    k.quiet().after(600_000).quiet();
    assertThat(k.reasons()).isEmpty();
  }

  private static Limits oneAtATime() {
    return Driver.limits(1, Limits.DEFAULT.resync(), Limits.DEFAULT.forgetAfter());
  }

  @Test
  @DisplayName(
      "No more requests at once than allowed; tombstones first, then taints, then the rest")
  void priorities() {
    List<NodeRecord> records = new ArrayList<>();
    for (String name : List.of("busy", "label", "returning", "dead")) {
      records.add(
          record().name(name).gen(1).uid("u-" + name).rv(5).at(6).label("team", "a").build());
    }
    List<NodeState> nodes = new ArrayList<>();
    for (String name : List.of("busy", "label", "dead")) {
      nodes.add(node("u-" + name).name(name).rv(6).label("team", "a").state());
    }
    Driver k = Driver.started(oneAtATime(), 8, nodes, records);
    k.modified(node("u-busy").name("busy").rv(9).label("team", "a").taint("t", ""));
    Effect.Request first = k.expect("capture");
    k.modified(node("u-label").name("label").rv(10).label("team", "a").taint("t", "")).quiet();
    k.added(node("u-new").name("returning").rv(11)).quiet();
    k.deleted(node("u-dead").name("dead").rv(12).label("team", "b")).quiet();
    assertThat(k.counts().inFlight()).isEqualTo(1);
    List<String> order = new ArrayList<>();
    Effect.Request now = first;
    for (int i = 0; i < 3; i++) {
      k.ok(now, 20 + i);
      List<Effect.Request> next = k.take();
      assertThat(next).hasSize(1);
      now = next.getFirst();
      order.add(now.node());
    }
    assertThat(order).containsExactly("dead", "returning", "label");
  }

  @Test
  @DisplayName("A resync compares everything and, in step, asks for nothing")
  void resync() {
    Node u1 = node("u1").rv(10).label("team", "a");
    Driver k = Driver.started(11, List.of(u1.state()), List.of(teamA()));
    k.after(299_000).quiet().after(2_000).quiet().after(300_000).quiet();
  }

  @Test
  @DisplayName("A resync of many goes on between other things, until it has compared them all")
  void resyncOfMany() {
    int many = 1_000;
    List<NodeState> nodes = new ArrayList<>();
    List<NodeRecord> records = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      String name = "n" + i;
      nodes.add(node("u1").name(name).rv(10).label("team", "a").state());
      records.add(record().name(name).gen(3).uid("u1").rv(5).at(6).label("team", "a").build());
    }
    Driver k = Driver.started(11, nodes, records);
    assertThat(k.busy()).isFalse();

    k.after(300_000);

    assertThat(k.busy()).isTrue();
    assertThat(k.wakesIn()).isNegative();
    // Whoever returns meanwhile does not wait for it.
    k.deleted(node("u1").name("n0").rv(20).label("team", "a"));
    k.added(node("u2").name("n0").rv(21));
    k.ok(k.expect("restore"), 22);
    k.modified(node("u2").name("n0").rv(22).label("team", "a"));
    assertThat(k.busy()).isTrue();

    int ticks = 0;
    while (k.wakesIn() < 0 && ticks < many) {
      k.after(0);
      ticks++;
    }
    assertThat(ticks).isBetween(2, 10);
    assertThat(k.wakesIn()).isPositive();
  }

  @Test
  @DisplayName("Forged generations buy at most 3 reads per incarnation, and do not block a restore")
  void forgedGenerations() {
    Driver k = Driver.with(teamA());
    Node u2 = node("u2").rv(10).marked("99." + "A".repeat(43));
    k.added(u2);
    int reads = 0;
    for (int i = 0; i < 50; i++) {
      for (Effect.Request request : k.take()) {
        if (request instanceof Effect.ReadRecord) {
          reads++;
          k.read(request, teamA());
        } else {
          assertThat(request).isInstanceOf(Effect.PatchNode.class); // it blocks no restore
          k.conflict(request);
        }
      }
      k.modified(u2.rv(11 + i).marked((100 + i) + "." + "A".repeat(43))).after(5_000);
    }
    assertThat(reads).isBetween(1, 3);
  }

  @Test
  @DisplayName("A marker that is stripped is answered by one adoption, not by a second restore")
  void stripped() {
    Node u2 = node("u2").rv(10).label("team", "a").marked(marker(3, "u2"));
    Driver k = Driver.started(11, List.of(u2.state()), List.of(teamA()));
    k.modified(u2.rv(12).annotation("x", "1")).quiet();
    Effect.Request adopt = k.modified(u2.rv(13).marked((String) null)).after(1_000).expect("adopt");
    assertThat(Driver.written(adopt).uid()).isEqualTo("u2");
    k.stored(adopt, 14);
    k.quiet().after(600_000).quiet();
  }

  @Test
  @DisplayName("A forgotten record is not brought back by a view that is older and comes later")
  void forgetThenOldViews() {
    Driver k = Driver.empty();
    k.seen(record().gen(1).uid("u1").rv(10).at(12).label("team", "a").build()).quiet();
    k.forgotten(20).quiet();
    Node u1 = node("u1").rv(10).label("team", "a");
    k.added(u1);
    k.take().forEach(r -> assertThat(r).isInstanceOf(Effect.ReadNode.class));
    k.deleted(u1.rv(15)).after(600_000);
    k.take().forEach(r -> assertThat(r).isInstanceOf(Effect.ReadNode.class));
  }

  @Test
  @DisplayName("An event that was delivered before has no effect when it comes again")
  void replays() {
    Driver k = Driver.with(teamA());
    Node u2 = node("u2").rv(10);
    NodeState bare = u2.state();
    Effect.PatchNode patch = k.added(u2).expectPatch("restore");
    k.ok(patch, 11);
    NodeState restored = u2.rv(11).label("team", "a").marked(Driver.marker(patch)).state();
    k.on(new Input.NodeModified(restored)).quiet();
    for (int i = 0; i < 3; i++) {
      k.on(new Input.NodeAdded(bare)).quiet();
      k.on(new Input.NodeModified(restored)).quiet();
      k.seen(teamA()).quiet();
    }
    k.after(600_000).quiet();
    assertThat(Given.NAME).isEqualTo(bare.name());
  }

  @Test
  @DisplayName("... also when it is of an earlier life: it neither buries nor raises anybody")
  void replaysOfThePast() {
    Node u1 = node("u1").rv(6).label("team", "a");
    Driver k = Driver.started(6, List.of(u1.state()), List.of(teamA()));
    NodeState past = u1.rv(7).state();
    k.on(new Input.NodeModified(past)).deleted(u1.rv(8)).quiet();
    Node u2 = node("u2").rv(9);
    Effect.PatchNode patch = k.added(u2).expectPatch("restore");
    k.ok(patch, 11).modified(u2.rv(11).label("team", "a").marked(Driver.marker(patch))).quiet();
    k.on(new Input.NodeModified(past)).quiet().after(1_000).quiet();
    k.on(new Input.RecordProgress(20)).after(421_000).quiet();
    assertThat(k.counts().nodes()).isEqualTo(1);
    assertThat(k.counts().tombstones()).isZero();
  }

  @Test
  @DisplayName("... nor does a record that was deleted since rise again")
  void replaysOfRecords() {
    Driver k = Driver.with(teamA());
    NodeRecord newer = record().gen(4).uid("u1").rv(9).at(10).label("team", "b").build();
    k.seen(newer).forgotten(20).seen(newer).quiet();
    assertThat(k.counts().records()).isZero();
    k.added(node("u2").rv(30)).quiet().after(600_000).quiet();
  }

  @Test
  @DisplayName("A record that the watch shows late does not replace our own newer version")
  void ownWriteIsNewer() {
    Node u1 = node("u1").rv(6).label("team", "b");
    Driver k = Driver.started(6, List.of(u1.state()), List.of(teamA()));
    Effect.Request capture = k.after(100).expect("capture");
    k.ok(capture, 30);
    k.seen(record().gen(1).uid("u1").rv(5).at(20).label("team", "a").build()).quiet();
    k.modified(u1.rv(31)).after(600_000).quiet();
  }

  @Test
  @DisplayName(
      "A record that is forgotten and made anew counts from 1 again, and its marker is believed")
  void markerOfANewRecord() {
    Driver k = Driver.with(teamA());
    Node u2 = node("u2").rv(10);
    Effect.PatchNode old = k.added(u2).expectPatch("restore");
    Node marked = u2.rv(11).label("team", "a").marked(Driver.marker(old));
    k.ok(old, 11).modified(marked).quiet().forgotten(20);
    Effect.ReadNode read = (Effect.ReadNode) k.take().getFirst();
    k.seen(record().preSeeded().at(21).label("team", "b").build());
    k.look(read, marked).after(1_000);
    NodeRecord anew = k.stored(k.expect("hand-edit"), 22);
    k.read(k.take().getFirst(), anew); // its marker names version 3, which the new record has not
    Effect.PatchNode fresh = k.expectPatch("restore");
    k.ok(fresh, 23).modified(marked.rv(23).marked(Driver.marker(fresh)));
    NodeRecord captured = Driver.written(k.after(500).expect("capture"));
    assertThat(captured.uid()).isEqualTo("u2");
  }

  @Test
  @DisplayName(
      "A reply that the record watch has overtaken brings no ghost of a deleted record back")
  void overtakenReply() {
    Driver k = Driver.empty();
    Node u1 = node("u1").rv(6).label("team", "a");
    Effect.Request create = k.added(u1).after(100).expect("create");
    k.deleted(u1.rv(7)).on(new Input.RecordsListed(List.of(), 30));
    k.ok(create, 20).after(10_000).quiet();
    assertThat(k.counts().records()).isZero();
  }
}
