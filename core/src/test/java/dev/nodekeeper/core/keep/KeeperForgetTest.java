package dev.nodekeeper.core.keep;

import static dev.nodekeeper.core.Given.label;
import static dev.nodekeeper.core.Given.node;
import static dev.nodekeeper.core.Given.record;
import static dev.nodekeeper.core.Given.things;
import static dev.nodekeeper.core.keep.Driver.teamA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given.Node;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The Keeper, when a record is deleted, made anew, or not where it was")
class KeeperForgetTest {

  @Test
  @DisplayName("A forgotten record voids the tombstones that are older")
  void forgetVoids() {
    Node u1 = node("u1").rv(7).label("team", "b");
    Driver k = Driver.started(8, List.of(u1.state()), List.of(teamA()));
    Effect.Request update = k.after(100).expect("capture");
    k.deleted(u1.rv(9).label("x", "1")).quiet().forgotten(10).quiet();
    k.gone(update).after(600_000);
    k.take().forEach(r -> assertThat(r).isInstanceOf(Effect.ReadRecord.class));
    assertThat(k.counts().tombstones()).isZero();
  }

  @Test
  @DisplayName(
      "A record made anew while we did not look voids them too: its predecessor was forgotten")
  void madeAnewUnseen() {
    Node u1 = node("u1").rv(7).label("team", "b");
    NodeRecord known = record().gen(1).uid("u1").rv(5).at(30).label("team", "a").build();
    Driver k = Driver.started(8, List.of(u1.state()), List.of(known));
    Effect.Request update = k.after(100).expect("capture");
    k.deleted(u1.rv(9).label("x", "1")).quiet();
    NodeRecord anew = record().gen(1).uid("").rv(40).label("ded", "1").build();
    NodeRecord other = anew.storedAs(new Stored.Origin("another", 40, ""));
    k.on(new Input.RecordsListed(List.of(other), 41)).conflict(update).after(600_000).quiet();
    assertThat(k.counts().tombstones()).isZero();
  }

  @Test
  @DisplayName("So does the late news of a deletion, when our own record is newer by then")
  void forgottenBeforeOurs() {
    Node u1 = node("u1").rv(7).label("team", "b");
    Driver k = Driver.empty().added(u1).after(100);
    k.ok(k.expect("create"), 20);
    k.deleted(u1.rv(9).label("x", "1"));
    Effect.Request update = k.expect("capture");
    k.forgotten(15).conflict(update).take();
    assertThat(k.counts().tombstones()).isZero();
  }

  @Test
  @DisplayName("What a life had nothing to add to, it does not bring back when that was cleaned up")
  void quietAndCleanedUp() {
    Driver k = Driver.with(record().gen(2).uid("u1").rv(9).at(10).build());
    Effect.Request patch = k.added(node("u2").rv(12).label("pool", "k")).expect("restore");
    k.deleted(node("u2").rv(13).label("pool", "k")).gone(patch).after(1_000).quiet();
    assertThat(k.counts().tombstones()).isEqualTo(1);
    k.forgotten(21).after(1_000).quiet();
  }

  @Test
  @DisplayName("A create that was not sent yet is recalled when its record was forgotten meanwhile")
  void recalledCreate() {
    Node u1 = node("u1").rv(7).label("team", "b");
    Driver k = Driver.empty().added(u1).after(100);
    Effect.Request create = k.expect("create");
    k.modified(u1.rv(8).label("team", "c"));
    assertThat(k.recalled()).as("a change of the node is for the next request").isEmpty();
    k.deleted(u1.rv(10)).forgotten(12);
    assertThat(k.recalled()).isNotEmpty().containsOnly(create);
    k.done(create, new Outcome.NotSent()).after(600_000).quiet();
  }

  @Test
  @DisplayName("A restore that was not sent yet is made anew, at once, from a newer record")
  void recalledRestore() {
    Driver k = Driver.with(teamA());
    Effect.Request restore = k.added(node("u2").rv(9)).expect("restore");
    k.seen(record().gen(4).uid("u1").rv(7).at(10).label("team", "b").build());
    assertThat(k.recalled()).containsExactly(restore);
    Effect.PatchNode next =
        (Effect.PatchNode) k.done(restore, new Outcome.NotSent()).expect("restore");
    assertThat(next.body()).contains("\"team\":\"b\"");
  }

  @Test
  @DisplayName("A late reply to a create tells nothing new of a record that was forgotten since")
  void lateReplyToCreate() {
    Node u1 = node("u1").rv(7).label("team", "b");
    Driver k = Driver.empty().added(u1).after(100);
    Effect.Request create = k.expect("create");
    NodeRecord ours = Driver.written(create).storedAs(new Stored.Origin("cm", 8, ""));
    k.deleted(u1.rv(10)).seen(ours).forgotten(9).on(new Input.RecordProgress(12)).quiet();
    assertThat(Driver.written(k.ok(create, 8).expect("create")).content())
        .as("it outlived the deletion of its record")
        .isEqualTo(things().label("team", "b").content());
  }

  @Test
  @DisplayName("A record that reads do not find is given up, but only after minutes of silence")
  void missingRecord() {
    Driver k = Driver.empty().added(node("u1").rv(7).label("team", "b")).after(100);
    k.ok(k.expect("create"), 8).on(new Input.RecordProgress(20));
    k.modified(node("u1").rv(9).label("team", "c")).after(1_000);
    k.gone(k.expect("capture")).after(1_000);
    Patience patience = readUntilItActs(k, Optional.empty());
    // Does it live, so that it may bring its record back?
    assertThat(patience.then()).isInstanceOf(Effect.ReadNode.class);
    assertThat(patience.millis()).as("the watch had time to tell").isBetween(150_000L, 900_000L);
    assertThat(patience.reads()).isEqualTo(10);
  }

  @Test
  @DisplayName("Our own new record voids only what was older than the one that we knew before")
  void ourOwnRecordMadeAnew() {
    Driver k = Driver.with(record().gen(1).uid("").rv(4).at(5).label("hand", "h").build());
    Effect.Request restore = k.added(node("u2").rv(8).label("x", "1")).expect("restore");
    k.deleted(node("u2").rv(10)).gone(restore).quiet();
    NodeRecord other = record().gen(1).uid("u2").rv(9).label("x", "1").build();
    k.seen(other.storedAs(new Stored.Origin("another", 12, "")));
    assertThat(Driver.written(k.expect("capture")).content().get(label("x"))).isNull();
  }

  @Test
  @DisplayName(
      "A record that reads show older than we know it is believed after minutes of silence")
  void olderRecord() {
    Node u1 = node("u1").rv(7).label("team", "b");
    NodeRecord older = record().gen(1).uid("u1").rv(5).at(6).label("team", "a").build();
    Driver k = Driver.started(7, List.of(u1.state()), List.of(older));
    k.ok(k.after(100).expect("capture"), 20).on(new Input.RecordProgress(30));
    k.modified(u1.rv(9).label("team", "c")).after(1_000);
    k.conflict(k.expect("capture")).after(1_000);
    Patience patience = readUntilItActs(k, Optional.of(older));
    assertThat(patience.then()).isInstanceOf(Effect.UpdateRecord.class);
    assertThat(Driver.written(patience.then()).origin()).isEqualTo(older.origin());
    assertThat(patience.reads()).isEqualTo(10);
  }

  /** How often the record was read, for how long, and what was done then. */
  private record Patience(int reads, long millis, Effect.Request then) {}

  private static Patience readUntilItActs(Driver k, Optional<Stored> answer) {
    int reads = 0;
    for (long millis = 0; millis < 1_000_000; millis += 1_000, k.after(1_000)) {
      for (Effect.Request asked : k.take()) {
        if (!(asked instanceof Effect.ReadRecord read)) {
          return new Patience(reads, millis, asked);
        }
        k.on(new Input.RecordRead(read, answer));
        reads++;
      }
    }
    throw new AssertionError("it only reads, " + reads + " times");
  }

  @Test
  @DisplayName("A quiet tombstone is kept until the record watch has passed the deletion")
  void quietTombstones() {
    Driver k = Driver.with(teamA());
    Effect.Request patch = k.added(node("u2").rv(10)).expect("restore");
    k.deleted(node("u2").rv(11)).gone(patch).after(1_000).quiet();
    assertThat(k.counts().tombstones()).isEqualTo(1);
    k.on(new Input.RecordProgress(11)).after(421_000).quiet();
    assertThat(k.counts().tombstones()).isZero();
  }
}
