package dev.nodekeeper.core.keep;

import static dev.nodekeeper.core.Given.node;
import static dev.nodekeeper.core.Given.record;
import static dev.nodekeeper.core.keep.Driver.teamA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.codec.RecordCodec;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored.Origin;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The record of a node that stays away")
class RetentionTest {
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long DAY = 24 * HOUR;
  private static final long START = 1_000_000;

  private static NodeRecord away(long since, boolean exempt) {
    return teamA().storedAs(new Origin("cm", 6, "", 0, since, exempt));
  }

  private static Limits forgetAfter(Duration duration) {
    return Driver.limits(32, Limits.DEFAULT.resync(), duration);
  }

  @Test
  @DisplayName("says since when, after an hour; neither its version nor its nonce changes")
  void marked() {
    Driver k = Driver.with(teamA());
    k.after(HOUR - 1).quiet();
    k.after(Limits.DEFAULT.resync().toMillis());
    Effect.UpdateRecord update = (Effect.UpdateRecord) k.expect("away");
    assertThat(update.record().origin().awaySince()).isGreaterThanOrEqualTo(START + HOUR);
    assertThat(update.data()).isEqualTo(RecordCodec.write(teamA()));
    k.seen(update.record().storedAs(new Origin("cm", 9, "", 0, START + HOUR, false)));
    k.done(update, new Outcome.Ok(new Origin("cm", 9, "", 0, START + HOUR, false)));
    k.after(DAY).quiet();
    assertThat(k.told(Reason.CAPTURED)).isZero();
    assertThat(k.report(Reason.NOTED).message()).isEqualTo("away");
    assertThat(k.report(Reason.NOTED).facts().version()).isEqualTo(3);
  }

  @Test
  @DisplayName("says so by the server's clock, and not while that is unknown")
  void serverClock() {
    Driver k = Driver.with(teamA());
    k.serverMillis = _ -> 0;
    k.after(2 * HOUR).quiet();
    k.serverMillis = ours -> ours + 50 * DAY;
    Effect.UpdateRecord update = (Effect.UpdateRecord) k.after(HOUR).expect("away");
    assertThat(update.record().origin().awaySince()).isEqualTo(START + 3 * HOUR + 50 * DAY);
  }

  @Test
  @DisplayName("says so no longer when the node is back, with the next capture or by itself")
  void present() {
    Driver k = Driver.with(away(START, false));
    k.added(node("u1").rv(10).label("team", "a"));
    Effect.UpdateRecord update = (Effect.UpdateRecord) k.expect("present");
    assertThat(update.record().origin().awaySince()).isZero();
    assertThat(update.data()).isEqualTo(RecordCodec.write(teamA()));

    k = Driver.with(away(START, false));
    k.added(node("u1").rv(10).label("team", "b"));
    update = (Effect.UpdateRecord) k.after(100).expect("capture");
    assertThat(update.record().origin().awaySince()).isZero();
  }

  @Test
  @DisplayName("is removed after 90 days, when a live look does not find the node either")
  void forgotten() {
    Driver k = Driver.with(away(START, false));
    k.after(90 * DAY - 1).quiet();
    k.after(HOUR);
    Effect.Request read = k.expect("read-node");
    k.look(read, null);
    Effect.DeleteRecord delete = (Effect.DeleteRecord) k.expect("delete");
    assertThat(delete.record().origin().rv()).isEqualTo(6);
    assertThat(k.told(Reason.FORGOTTEN)).isEqualTo(1);
    assertThat(k.report(Reason.FORGOTTEN).facts().version()).isEqualTo(3);
    k.ok(delete, 7);
    assertThat(k.told(Reason.REMOVED)).isZero();
  }

  @Test
  @DisplayName("is removed without more ado when it is empty, and that is told")
  void empty() {
    NodeRecord empty = record().gen(4).uid("u1").rv(5).at(6).build();
    Driver k = Driver.with(empty);
    k.look(k.after(61_000).expect("read-node"), null);
    k.ok(k.expect("delete"), 7);
    assertThat(k.report(Reason.REMOVED).facts().version()).isEqualTo(4);
  }

  @Test
  @DisplayName("stays when the node is there after all")
  void found() {
    Driver k = Driver.with(away(START, false));
    Effect.Request read = k.after(91 * DAY).expect("read-node");
    k.look(read, node("u2").rv(10));
    k.quiet();
    k.added(node("u2").rv(10)).expect("restore");
  }

  @Test
  @DisplayName("an earlier look does not count: between two full compares the node may have come")
  void looksAnew() {
    Driver k = Driver.with(away(START, false));
    Effect.Request read = k.after(91 * DAY).expect("read-node");
    k.look(read, null);
    k.conflict(k.expect("delete"));
    k.seen(away(START, false).storedAs(new Origin("cm", 8, "", 0, START, false)));
    k.expect("read-node");
  }

  @Test
  @DisplayName("stays for ever by nodekeeper.dev/keep or --forget-after 0")
  void exempt() {
    Driver.with(away(START, true)).after(1000 * DAY).quiet();
    Driver.with(teamA().storedAs(new Origin("cm", 6, "", 0, 0, true))).after(1000 * DAY).quiet();
    Driver.started(forgetAfter(Duration.ZERO), 6, List.of(), List.of(away(START, false)))
        .after(1000 * DAY)
        .quiet();
    Driver.started(forgetAfter(Duration.ZERO), 6, List.of(), List.of(teamA()))
        .after(1000 * DAY)
        .quiet();
  }

  @Test
  @DisplayName("stays while one of two clocks says that it is not time yet")
  void clocks() {
    Driver k = Driver.with(away(START, false));
    k.serverMillis = ours -> ours + 3650 * DAY;
    k.after(DAY).quiet();
    k = Driver.with(away(START, false));
    k.serverMillis = _ -> START + DAY;
    k.after(3650 * DAY).quiet();
  }

  @Test
  @DisplayName("a shorter --forget-after also shortens the hour")
  void shorter() {
    Driver k = Driver.started(forgetAfter(Duration.ofMinutes(10)), 6, List.of(), List.of(teamA()));
    k.after(9 * 60_000).quiet().after(6 * 60_000).expect("away");
  }

  @Test
  @DisplayName("an hour counts from when the node left, also in the eyes of one who takes over")
  void onlooker() {
    Driver k =
        Driver.started(6, List.of(node("u1").rv(5).label("team", "a").state()), List.of(teamA()));
    k.share(1, java.util.Map.of());
    k.deleted(node("u1").rv(9).label("team", "a")).after(HOUR).quiet();
    k.share(1, java.util.Map.of(0, 9L)).after(500);
    assertThat(k.nodesAsked()).containsExactly(record().build().node());
  }
}
