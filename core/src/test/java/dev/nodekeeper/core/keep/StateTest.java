package dev.nodekeeper.core.keep;

import static dev.nodekeeper.core.Given.node;
import static dev.nodekeeper.core.Given.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.State;
import dev.nodekeeper.core.model.Stored.Defect;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Stored.Unreadable;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("How nodes stand, how long they wait and what was done, in numbers")
class StateTest {
  private static final NodeRecord TEAM_A = Driver.teamA();

  private static Given.Node returned(long rv) {
    return node("u2").rv(rv);
  }

  private static Given.Node restored(long rv) {
    return returned(rv).label("team", "a").marked(Given.marker(TEAM_A, "u2"));
  }

  private static Map<State, Integer> standing(Driver k) {
    Map<State, Integer> some = new EnumMap<>(k.counts().owned());
    some.values().removeIf(count -> count == 0);
    return some;
  }

  private static long oldest(Driver k, State condition) {
    return k.counts().oldestMillis().getOrDefault(condition, -1L);
  }

  @Test
  @DisplayName("an edit: pending until the record has it; told with version, life and time")
  void capture() {
    Driver k = Driver.empty().added(node("u1").rv(5));
    assertThat(standing(k)).isEqualTo(Map.of(State.CURRENT, 1));

    k.modified(node("u1").rv(6).label("team", "a"));
    assertThat(standing(k)).isEqualTo(Map.of(State.PENDING_CAPTURE, 1));
    k.after(100);
    assertThat(oldest(k, State.PENDING_CAPTURE)).isEqualTo(100);
    Effect.Request create = k.expect("create");
    k.after(30);
    assertThat(standing(k)).isEqualTo(Map.of(State.PENDING_CAPTURE, 1));
    k.ok(create, 7);
    assertThat(standing(k)).isEqualTo(Map.of(State.CURRENT, 1));
    assertThat(oldest(k, State.CURRENT)).isZero();
    Effect.Facts facts = k.report(Reason.CAPTURED).facts();
    assertThat(facts).isEqualTo(new Effect.Facts(1, "u1", Effect.Gift.NONE, 130));
  }

  @Test
  @DisplayName("what changes while a write is under way waits from then on")
  void next() {
    Driver k = Driver.empty().added(node("u1").rv(5).label("team", "a"));
    Effect.Request create = k.after(500).expect("create");
    k.modified(node("u1").rv(6).label("team", "b"));
    k.after(40).ok(create, 7);
    assertThat(oldest(k, State.PENDING_CAPTURE)).isEqualTo(40);
  }

  @Test
  @DisplayName("a return: pending until it is seen restored; told with both lives and counts")
  void restore() {
    Driver k = Driver.with(TEAM_A);
    assertThat(standing(k)).isEqualTo(Map.of(State.AWAY, 1));
    k.added(returned(8));
    assertThat(standing(k)).isEqualTo(Map.of(State.PENDING_RESTORE, 1));
    Effect.PatchNode patch = k.expectPatch("restore");
    assertThat(patch.gift()).isEqualTo(new Effect.Gift(3, "u1", Map.of(Kind.LABEL, 1)));
    k.after(70);
    assertThat(oldest(k, State.PENDING_RESTORE)).isEqualTo(70);
    k.ok(patch, 9);
    k.modified(restored(9));
    assertThat(standing(k)).isEqualTo(Map.of(State.CURRENT, 1));

    Effect.Report told = k.report(Reason.RESTORED);
    assertThat(told.facts()).isEqualTo(new Effect.Facts(3, "u2", patch.gift(), 70));
    assertThat(told.message()).isEqualTo("labels: 1 (record version 3, life u1 -> u2)");
    assertThat(told.event()).isTrue();
  }

  @Test
  @DisplayName("a return with everything already there is no event")
  void nothingGiven() {
    Driver k = Driver.with(TEAM_A).added(returned(8).label("team", "a"));
    k.ok(k.expect("restore"), 9);
    assertThat(k.report(Reason.RESTORED).facts().gave()).isFalse();
    assertThat(k.report(Reason.RESTORED).event()).isFalse();
    assertThat(k.report(Reason.RESTORED).message()).startsWith("it had everything");
  }

  @Test
  @DisplayName("a record that is bound to no life is told as such")
  void bornOfNone() {
    NodeRecord merged = record().gen(3).uid("").rv(5).at(6).label("team", "a").build();
    Driver k = Driver.with(merged).added(returned(8));
    k.ok(k.expect("restore"), 9);
    assertThat(k.report(Reason.RESTORED).message()).contains("life none -> u2");
  }

  @Test
  @DisplayName("all return at once: those that wait for their turn are pending as well")
  void noRoom() {
    Limits one = Driver.limits(1, Duration.ofMinutes(5), Duration.ZERO);
    NodeRecord other = record().name("other").gen(3).uid("o1").rv(5).at(6).label("x", "y").build();
    Driver k = Driver.started(one, 6, List.of(), List.of(TEAM_A, other));
    k.added(returned(8)).added(node("o2").name("other").rv(9));
    k.added(node("n1").name("new").rv(10).label("a", "b")).added(node("b1").name("bare").rv(11));
    assertThat(standing(k))
        .isEqualTo(Map.of(State.PENDING_RESTORE, 2, State.PENDING_CAPTURE, 1, State.CURRENT, 1));
  }

  @Test
  @DisplayName("an API server that says no: refused, until it says yes")
  void refused() {
    Driver k = Driver.with(TEAM_A).added(returned(8));
    Effect.Request patch = k.expect("restore");
    k.done(patch, new Outcome.Refused(403, "no"));
    assertThat(standing(k)).isEqualTo(Map.of(State.REFUSED, 1));
    assertThat(k.report(Reason.REQUEST_REFUSED).facts().version()).isEqualTo(3);
    k.after(600_000);
    assertThat(oldest(k, State.REFUSED)).isEqualTo(600_000);
    patch = k.expect("restore");
    assertThat(standing(k)).isEqualTo(Map.of(State.REFUSED, 1));
    k.ok(patch, 9).modified(restored(9));
    assertThat(standing(k)).isEqualTo(Map.of(State.CURRENT, 1));
  }

  @Test
  @DisplayName("a deleted node's last state that cannot be written is refused too")
  void refusedTombstone() {
    Driver k =
        Driver.started(6, List.of(node("u1").rv(5).label("team", "a").state()), List.of(TEAM_A));
    k.deleted(node("u1").rv(8).label("team", "b"));
    assertThat(standing(k)).isEqualTo(Map.of(State.PENDING_CAPTURE, 1));
    k.after(20);
    assertThat(oldest(k, State.PENDING_CAPTURE)).isEqualTo(20);
    Effect.Request update = k.expect("capture");
    k.done(update, new Outcome.Refused(403, "no"));
    assertThat(standing(k)).isEqualTo(Map.of(State.REFUSED, 1));
    k.after(600_000);
    k.ok(k.expect("capture"), 9);
    assertThat(standing(k)).isEqualTo(Map.of(State.AWAY, 1));
    assertThat(k.report(Reason.CAPTURED).facts().tookMillis()).isEqualTo(600_020);
  }

  @Test
  @DisplayName("an unreadable record: its node is refused, without a node it is nobody")
  void unreadable() {
    Unreadable bad = new Unreadable(Given.NAME, new Origin("cm", 3, ""), Defect.BROKEN, "bad");
    Driver k = Driver.started(6, List.of(), List.of(bad));
    assertThat(standing(k)).isEmpty();
    k.added(node("u1").rv(8).label("team", "a"));
    assertThat(standing(k)).isEqualTo(Map.of(State.REFUSED, 1));
    k.deleted(node("u1").rv(9).label("team", "a"));
    assertThat(standing(k)).isEqualTo(Map.of(State.REFUSED, 1));
  }

  @Test
  @DisplayName("only nodes of our shards count, and those of others do not wait for us")
  void owned() {
    int mine = Shares.shard(Given.NAME, 2);
    Driver k = Driver.with(TEAM_A).share(2, Map.of(1 - mine, 0L));
    k.added(returned(8));
    assertThat(standing(k)).isEmpty();
    k.after(5_000).modified(restored(9));
    k.after(5_000).share(2, Map.of(0, 0L, 1, 0L));
    k.after(500);
    assertThat(standing(k)).isEqualTo(Map.of(State.CURRENT, 1));
    assertThat(k.counts().changes().get(NodeClass.OPEN)).containsEntry(Kind.LABEL, 0L);
    // The owner before us did it: what comes next is not as old as that.
    k.modified(restored(10).label("team", "b"));
    assertThat(oldest(k, State.PENDING_CAPTURE)).isZero();
  }

  @Test
  @DisplayName("changes by class of node and kind of key, our own restores not among them")
  void churn() {
    Driver k = Driver.with(TEAM_A).added(returned(8));
    k.ok(k.expect("restore"), 9).modified(restored(9));
    k.modified(restored(10).label("team", "b").label("x", "y"));
    k.modified(restored(11).label("team", "b").taint("dedicated", "a"));
    k.modified(restored(12).label("team", "b").label("node-role.kubernetes.io/control-plane", ""));
    var changes = k.counts().changes();
    assertThat(changes.get(NodeClass.OPEN))
        .containsEntry(Kind.LABEL, 2L)
        .containsEntry(Kind.TAINT, 0L);
    assertThat(changes.get(NodeClass.DEDICATED))
        .containsEntry(Kind.LABEL, 1L)
        .containsEntry(Kind.TAINT, 1L);
    assertThat(changes.get(NodeClass.CONTROL_PLANE))
        .containsEntry(Kind.LABEL, 1L)
        .containsEntry(Kind.TAINT, 1L);
    assertThat(NodeClass.CONTROL_PLANE.word()).isEqualTo("control-plane");
  }

  @Test
  @DisplayName("each decision is counted by its kind")
  void decisions() {
    Driver k = Driver.with(TEAM_A).added(returned(8));
    k.ok(k.expect("restore"), 9).modified(restored(9));
    k.modified(restored(10).label("x", "y")).after(500);
    k.expect("capture");
    var decided = k.counts().decisions();
    assertThat(decided)
        .containsEntry(Verdict.RESTORE, 1L)
        .containsEntry(Verdict.IN_STEP, 1L)
        .containsEntry(Verdict.INERT, 0L)
        .hasSize(Verdict.values().length);
    assertThat(decided.get(Verdict.CAPTURE)).isPositive();
    assertThat(Verdict.IN_STEP.word()).isEqualTo("in-step");
    assertThat(State.PENDING_RESTORE.word()).isEqualTo("pending-restore");
  }
}
