package dev.nodekeeper.core.keep;

import static dev.nodekeeper.core.Given.marker;
import static dev.nodekeeper.core.Given.node;
import static dev.nodekeeper.core.keep.Driver.teamA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given;
import dev.nodekeeper.core.Given.Node;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored.Origin;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Replicas share the nodes: all remember, the owner acts")
class KeeperShareTest {
  private static final int COUNT = 16;
  private static final int SHARD = Shares.shard(Given.NAME, COUNT);
  private static final Map<Integer, Long> NONE = Map.of();

  private static Map<Integer, Long> mine(long takenAt) {
    return Map.of(SHARD, takenAt);
  }

  // ---- which shard

  @Test
  @DisplayName("A name has the same shard for ever, whatever version of us asks")
  void stable() {
    assertThat(List.of("gpu-17", "ip-10-0-0-1.ec2.internal", "nöde", ""))
        .extracting(name -> Shares.shard(name, 16))
        .containsExactly(11, 10, 13, 0);
    assertThat(Shares.shard("gpu-17", 1)).isZero();
  }

  @Test
  @DisplayName("Names that differ in a digit are spread evenly, for any count")
  void spread() {
    for (int count : new int[] {2, 3, 7, 16, 64}) {
      Map<Integer, Integer> sizes = new TreeMap<>();
      IntStream.range(0, 1000 * count)
          .forEach(i -> sizes.merge(Shares.shard("node-" + i, count), 1, Integer::sum));
      assertThat(sizes).hasSize(count);
      assertThat(sizes.values()).allSatisfy(size -> assertThat(size).isBetween(850, 1150));
    }
  }

  // ---- who acts

  @Test
  @DisplayName("What is not ours is seen and not written, however long it lasts")
  void onlooker() {
    Driver k = Driver.started(6, List.of(), List.of(teamA())).share(COUNT, NONE);
    k.added(node("u2").rv(10)).quiet();
    k.modified(node("u2").rv(11).label("team", "b")).after(1_000).quiet();
    k.after(400_000).quiet();
    assertThat(k.counts().tombstones()).isZero();
  }

  @Test
  @DisplayName("A new owner restores at once what nobody has restored")
  void takesOver() {
    Driver k = Driver.with(teamA()).share(COUNT, NONE);
    k.added(node("u2").rv(10)).quiet();
    k.share(COUNT, mine(6)).expect("restore");
  }

  @Test
  @DisplayName("Pending tombstones of a dead owner are written by the next one, before the restore")
  void tombstones() {
    Driver k =
        Driver.started(6, List.of(node("u1").rv(5).label("team", "a").state()), List.of(teamA()))
            .share(COUNT, NONE);
    k.deleted(node("u1").rv(10).label("team", "b")).quiet();
    k.added(node("u2").rv(11)).quiet();
    assertThat(k.counts().tombstones()).isEqualTo(1);
    NodeRecord merged = k.stored(k.share(COUNT, mine(11)).after(500).expect("capture"), 12);
    assertThat(merged.content()).isEqualTo(Given.things().label("team", "b").content());
    k.expect("restore");
  }

  @Test
  @DisplayName("What the owner does not write in 10 s, others do: it may have started since")
  void lastWord() {
    Driver k =
        Driver.started(6, List.of(node("u1").rv(5).label("team", "a").state()), List.of(teamA()))
            .share(COUNT, NONE);
    k.deleted(node("u1").rv(10).label("team", "b")).after(9_999).quiet();
    Effect.Request write = k.after(1).expect("last-word");
    k.conflict(write).after(Backoff.NEWS_MILLIS);
    k.read(k.expect("read-record"), teamA().storedAs(new Origin("cm", 11, "")));
    NodeRecord merged = k.stored(k.expect("last-word"), 12);
    assertThat(merged.content()).isEqualTo(Given.things().label("team", "b").content());
    k.after(430_000).quiet();
    assertThat(k.counts().tombstones()).isZero();
  }

  @Test
  @DisplayName("A tombstone that the owner has settled is let go by the others too")
  void settledByOthers() {
    Driver k =
        Driver.started(6, List.of(node("u1").rv(5).label("team", "a").state()), List.of(teamA()))
            .share(COUNT, NONE);
    k.deleted(node("u1").rv(10).label("team", "b")).quiet();
    k.seen(Given.record().gen(4).uid("u1").rv(10).at(12).label("team", "b").build());
    k.after(430_000).quiet();
    assertThat(k.counts().tombstones()).isZero();
  }

  @Test
  @DisplayName("What the owner before us wrote last is waited for, but not for long")
  void catchesUp() {
    Driver k = Driver.with(teamA()).share(COUNT, NONE);
    k.added(node("u2").rv(10));
    k.share(COUNT, mine(20)).quiet();
    assertThat(k.wakesIn()).isEqualTo(500);
    k.on(new Input.NodeProgress(20)).quiet();
    k.on(new Input.RecordProgress(20)).expect("restore");

    k = Driver.with(teamA()).share(COUNT, NONE);
    k.added(node("u2").rv(10));
    k.share(COUNT, mine(20)).after(499).quiet().after(1).expect("restore");
  }

  @Test
  @DisplayName("Taken anew it is caught up with anew; kept it is not")
  void takenAnew() {
    Driver k = Driver.with(teamA()).share(COUNT, mine(6));
    k.share(COUNT, Map.of(SHARD, 6L, (SHARD + 1) % COUNT, 30L));
    k.added(node("u2").rv(10)).expect("restore");

    k = Driver.with(teamA()).share(COUNT, mine(6));
    k.share(COUNT, mine(30));
    k.added(node("u2").rv(10)).quiet();
  }

  @Test
  @DisplayName("After a loss nothing more is sent; the answer to what was under way still counts")
  void lost() {
    Driver k = Driver.empty().share(COUNT, mine(0));
    Effect.Request create =
        k.added(node("u1").rv(10).label("team", "a")).after(100).expect("create");
    k.share(COUNT, NONE).stored(create, 11);
    k.modified(node("u1").rv(12).label("team", "b")).after(1_000).quiet();
    k.share(COUNT, mine(13)).after(500).expect("capture");
  }

  @Test
  @DisplayName("A request that was held back because it is no longer ours has done nothing")
  void notSent() {
    Driver k = Driver.empty().share(COUNT, mine(0));
    Effect.Request create =
        k.added(node("u1").rv(10).label("team", "a")).after(100).expect("create");
    k.done(create, new Outcome.NotSent()).quiet();
    k.after(Backoff.NEWS_MILLIS).expect("create");
  }

  @Test
  @DisplayName("Another number of shards: nothing is ours but what we are told")
  void otherCount() {
    Driver k = Driver.with(teamA()).share(COUNT, mine(6));
    int other = Shares.shard(Given.NAME, 3);
    k.share(3, Map.of((other + 1) % 3, 6L)).added(node("u2").rv(10)).quiet();
    k.share(3, Map.of(other, 6L)).expect("restore");
  }

  // ---- roles

  @Test
  @DisplayName("capture writes records and leaves nodes alone")
  void capture() {
    Node u1 = node("u1").rv(10).label("team", "b");
    Driver k = Driver.started(Role.CAPTURE, 6, List.of(), List.of(teamA()));
    k.added(node("u2").rv(10)).after(60_000).quiet();
    k = Driver.started(Role.CAPTURE, 11, List.of(u1.state()), List.of(teamA()));
    k.after(100).expect("capture");
  }

  @Test
  @DisplayName(
      "Who only restores puts a stripped marker back: who only captures may not have seen it")
  void markedAgain() {
    Driver k = Driver.started(Role.RESTORE, 6, List.of(), List.of(teamA()));
    Node u2 = node("u2").rv(9);
    k.ok(k.added(u2).expect("restore"), 10);
    k.modified(u2.rv(10).label("team", "a").marked(marker(teamA(), "u2"))).quiet();
    String body = k.modified(u2.rv(11).marked(null)).expectPatch("restore").body();
    assertThat(body).contains(marker(teamA(), "u2")).doesNotContain("team");
  }

  @Test
  @DisplayName("restore patches nodes and leaves records alone")
  void restore() {
    Driver k = Driver.started(Role.RESTORE, 6, List.of(), List.of(teamA()));
    k.added(node("u2").rv(10)).expect("restore");
    k = Driver.started(Role.RESTORE, 6, List.of(), List.of());
    k.added(node("u1").rv(10).label("team", "a")).after(60_000).quiet();
    k.seen(Given.record().preSeeded().label("x", "y").build()).after(60_000).quiet();
    k = Driver.started(Role.RESTORE, 6, List.of(), List.of(Given.record().gen(2).build()));
    k.after(120_000).quiet();
  }

  @Test
  @DisplayName("restore waits for the predecessor's last state to be captured, but not for ever")
  void restoreWaits() {
    Driver k = withTombstone();
    k.added(node("u2").rv(11)).quiet();
    k.seen(Given.record().gen(4).uid("u1").rv(10).at(12).label("team", "b").build());
    k.expect("restore");

    k = withTombstone();
    k.added(node("u2").rv(11)).after(9_999).quiet().after(1).expect("restore");
  }

  private static Driver withTombstone() {
    Driver k =
        Driver.started(
            Role.RESTORE,
            6,
            List.of(node("u1").rv(5).label("team", "a").state()),
            List.of(teamA()));
    return k.deleted(node("u1").rv(10).label("team", "b")).quiet();
  }
}
