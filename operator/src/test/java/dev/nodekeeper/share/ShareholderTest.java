package dev.nodekeeper.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.share.Simulation.Replica;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ShareholderTest {
  private static final Duration QUIET = Duration.ofSeconds(30);

  private static Duration seconds(double seconds) {
    return Duration.ofMillis((long) (seconds * 1000));
  }

  @Test
  @DisplayName("whoever may not use leases works alone after two seconds, and shares when allowed")
  void alone() {
    for (String method : List.of("GET", "POST", "PUT")) {
      Simulation world = new Simulation(4, 3);
      Replica replica = world.start();
      if (method.equals("PUT")) {
        world.run(QUIET);
      }
      world.refused.add(method);
      world.run(seconds(1.5));
      assertThat(replica.alone()).as(method + ", may be a server that starts").isFalse();
      world.run(seconds(5));
      assertThat(replica.alone()).as(method).isTrue();
      world.refused.clear();
      world.run(seconds(4));
      assertThat(replica.alone()).as(method).isFalse();
      assertThat(world.unowned()).as(method).isZero();
    }
  }

  @Test
  @DisplayName("a refusal that is not repeated is forgotten: others may have taken what was free")
  void forgotten() {
    Solitude solitude = new Solitude();
    Task task = new Task.Survey();
    solitude.refused(task, "no", 0);
    solitude.refused(task, "no", seconds(3).toNanos());
    assertThat(solitude.reason(seconds(17).toNanos())).contains("no");
    assertThat(solitude.reason(seconds(19).toNanos())).isEmpty();
  }

  @Test
  @DisplayName("who annotates a dead replica's lease does not keep it alive")
  void annotated() {
    Simulation world = new Simulation(1, 4);
    Replica first = world.start();
    world.run(QUIET);
    Replica second = world.start();
    world.run(seconds(3));
    first.crash();
    for (int i = 0; i < 20; i++) {
      String value = "v" + i;
      world.server.edit(
          world.layout.shard(0),
          lease -> lease.withObject("/metadata/annotations").put("a", value));
      world.run(seconds(0.5));
    }
    assertThat(second.owned()).isEqualTo(1);
  }

  @Test
  @DisplayName("a lease for ever, written by hand, lasts ten times as long as ours")
  void endless() {
    Simulation world = new Simulation(1, 5);
    Replica replica = world.start();
    world.run(QUIET);
    world.server.edit(
        world.layout.shard(0),
        lease ->
            lease
                .withObject("/spec")
                .put("holderIdentity", "a-person")
                .put("leaseDurationSeconds", 1_000_000));
    world.run(seconds(78));
    assertThat(replica.owned()).isZero();
    world.run(seconds(4));
    assertThat(replica.owned()).isEqualTo(1);
  }

  @Test
  @DisplayName(
      "frozen for two leases: it wakes up as nobody's owner and takes nothing that is held")
  void frozen() {
    Simulation world = new Simulation(16, 6);
    Replica first = world.start();
    Replica second = world.start();
    world.run(QUIET);
    first.frozen = true;
    world.run(seconds(16));
    assertThat(second.owned()).isEqualTo(16);
    first.thaw();
    assertThat(first.owned()).isZero();
    long moves = world.server.moves();
    world.run(QUIET);
    assertThat(world.server.moves() - moves).as("only its due, when it was given").isEqualTo(8);
    assertThat(world.even()).as(world.picture()).isTrue();
  }

  @Test
  @DisplayName("what dead replicas and other settings left behind goes after ten leases, no sooner")
  void leftovers() {
    Simulation world = new Simulation(16, 7);
    Replica dead = world.start();
    Replica living = world.start();
    world.run(QUIET);
    String member = world.layout.member(dead.name);
    for (String name : List.of("nodekeeper", "nodekeeper-1-of-4", "nodekeeper-by-hand")) {
      world.server.copy(world.layout.shard(0), name);
    }
    dead.crash();
    world.run(seconds(75));
    assertThat(world.server.all())
        .containsKeys(member, "nodekeeper", "nodekeeper-1-of-4", "nodekeeper-by-hand");
    world.run(seconds(15));
    assertThat(world.server.all())
        .hasSize(16 + 1 + 1)
        .containsKeys(world.layout.member(living.name), "nodekeeper-by-hand");
  }

  @Test
  @DisplayName("replicas with another number of shards do not count on each other")
  void otherLayout() {
    Layout sixteen = new Layout("ns", "nodekeeper", 16);
    Layout four = new Layout("ns", "nodekeeper", 4);
    assertThat(sixteen.isMember(sixteen.member("a"))).isTrue();
    assertThat(sixteen.isMember(four.member("a"))).isFalse();
    assertThat(sixteen.isOurs(four.member("a"))).isTrue();
    assertThat(new Layout("ns", "nodekeeper", 1).shard(0)).isEqualTo("nodekeeper");
    assertThat(sixteen.shard(3)).isEqualTo("nodekeeper-3-of-16");
  }

  @Test
  @DisplayName("a shard is given up for writes at once, for others when its writes are finished")
  void drained() {
    Simulation world = new Simulation(2, 8);
    Replica first = world.start();
    world.run(QUIET);
    first.inFlight.addAll(List.of(0, 1));
    first.stop();
    assertThat(first.owned()).isZero();
    world.run(seconds(0.7));
    assertThat(world.server.holder(world.layout.shard(0))).isEqualTo(first.name);
    first.inFlight.clear();
    world.run(seconds(0.4));
    assertThat(world.server.holder(world.layout.shard(0))).isEmpty();
    world.run(seconds(1));
    assertThat(world.server.all()).hasSize(2);
  }

  @Test
  @DisplayName("who has more than its due first does what it knows of, but not for ever")
  void busy() {
    Simulation world = new Simulation(16, 9);
    Replica first = world.start();
    world.run(QUIET);
    first.idle = false;
    Replica second = world.start();
    world.run(seconds(4));
    assertThat(first.owned()).isEqualTo(16);
    first.idle = true;
    world.run(seconds(2));
    assertThat(second.owned()).isEqualTo(8);
    second.idle = false;
    world.start();
    world.run(seconds(9));
    assertThat(world.even()).as(world.picture()).isTrue();
  }

  @Test
  @DisplayName("a lease that somebody else wrote his name into is lost at the next look")
  void overwritten() {
    Simulation world = new Simulation(1, 10);
    Replica replica = world.start();
    // Between two renewals, which would tell us too.
    world.run(QUIET.plusMillis(300));
    world.server.overwrite(world.layout.shard(0), "a-person");
    world.run(seconds(1.4));
    assertThat(replica.owned()).isZero();
  }

  @Test
  @DisplayName("stopped at any moment of its start, it leaves nothing behind in its name")
  void stoppedEarly() {
    for (int millis = 0; millis < 1500; millis += 10) {
      Simulation world = new Simulation(4, millis);
      Replica replica = world.start();
      world.run(Duration.ofMillis(millis));
      replica.stop();
      world.run(seconds(2));
      assertThat(world.server.all().keySet())
          .as("stopped after %d ms", millis)
          .doesNotContain(world.layout.member(replica.name));
      for (int shard = 0; shard < 4; shard++) {
        assertThat(world.server.holder(world.layout.shard(shard))).isEmpty();
      }
    }
  }

  @Test
  @DisplayName("who start together see each other before they take anything: little is taken twice")
  void together() {
    long moves = 0;
    for (int seed = 0; seed < 20; seed++) {
      Simulation world = new Simulation(16, seed);
      for (int i = 0; i < 4; i++) {
        world.start();
      }
      world.run(QUIET);
      assertThat(world.even()).as(world.picture()).isTrue();
      moves += world.server.moves();
    }
    // 62 of 320; without waiting 289.
    assertThat(moves).isLessThan(150);
  }

  @Test
  @DisplayName("writes that never finish hold a shard back for a second, not longer")
  void neverDrained() {
    Simulation world = new Simulation(1, 9);
    Replica first = world.start();
    world.run(QUIET);
    first.inFlight.add(0);
    first.stop();
    world.run(seconds(1.4));
    assertThat(world.server.holder(world.layout.shard(0))).isEmpty();
  }

  @Test
  @DisplayName("a lease is ours from the sending of its renewal, and a gap makes a new beginning")
  void deadlines() {
    long valid = Terms.DEFAULT.valid();
    Seat seat = new Seat("nodekeeper", 0);
    seat.renewed(valid, 10, 1);
    assertThat(seat.owned(valid - 1)).isTrue();
    assertThat(seat.owned(valid)).isFalse();
    seat.renewed(valid + 5, 11, valid - 1);
    assertThat(seat.sinceRv()).isEqualTo(10);
    seat.renewed(valid + 100, 12, valid + 6);
    assertThat(seat.sinceRv()).isEqualTo(12);
  }

  @Test
  @DisplayName("a slow reply buys no time: what counts is when we sent the request")
  void slowReply() {
    Shareholder holder = leader();
    Seat seat = holder.shards().getFirst();
    assertThat(seat.deadline()).isEqualTo(seconds(6).toNanos());
    Task renewal = claim(holder, seconds(2).toNanos());
    holder.heard(
        new Answer.Written(renewal, lease(6), seconds(2).toNanos()), seconds(3.5).toNanos());
    assertThat(seat.deadline()).isEqualTo(seconds(8).toNanos());
    assertThat(seat.sinceRv()).isEqualTo(5);
  }

  @Test
  @DisplayName("what was given up was another's until then, what nobody had until we took it")
  void since() {
    assertThat(leader().shards().getFirst().sinceRv()).isEqualTo(5);
    assertThat(leader(lease(4, "")).shards().getFirst().sinceRv()).isEqualTo(4);
  }

  @Test
  @DisplayName("what a dead owner left was another's until we took it")
  void sinceDeath() {
    Shareholder holder = holder(lease(4, "dead"));
    for (int second = 1; holder.shards().getFirst().sinceRv() == 0; second++) {
      assertThat(second).isLessThan(10);
      long now = seconds(second).toNanos();
      for (Task task : holder.turn(now)) {
        holder.heard(
            task instanceof Task.Survey
                ? new Answer.Surveyed(task, List.of(lease(4, "dead")), now)
                : new Answer.Written(task, lease(5), now),
            now);
      }
    }
    assertThat(holder.shards().getFirst().sinceRv()).isEqualTo(5);
  }

  @Test
  @DisplayName("Retry-After is honoured, but never beyond half of the time that is left")
  void retryAfter() {
    Shareholder holder = leader();
    long now = seconds(2).toNanos();
    Task renewal = claim(holder, now);
    // Of the six seconds four are left.
    holder.heard(new Answer.Failed(renewal, "429", Duration.ofSeconds(60)), now);
    assertThat(claims(holder, seconds(3.9).toNanos())).isZero();
    assertThat(claims(holder, seconds(4).toNanos())).isEqualTo(1);
  }

  /** Has the only lease since second 0. */
  private static Shareholder leader(Lease... before) {
    Shareholder holder = holder(before);
    holder.heard(new Answer.Written(claim(holder, 0), lease(5), 0), 0);
    return holder;
  }

  /** At second 0 it has looked at the leases. */
  private static Shareholder holder(Lease... leases) {
    Layout layout = new Layout("ns", "nodekeeper", 1);
    Shareholder holder =
        new Shareholder(
            layout,
            "me",
            Terms.DEFAULT,
            () -> true,
            _ -> true,
            _ -> true,
            new SplittableRandom(1),
            0);
    Task survey = holder.turn(0).getFirst();
    holder.heard(new Answer.Surveyed(survey, List.of(leases), 0), 0);
    return holder;
  }

  private static Task claim(Shareholder holder, long now) {
    return holder.turn(now).stream()
        .filter(task -> task instanceof Task.Claim)
        .findFirst()
        .orElseThrow();
  }

  private static long claims(Shareholder holder, long now) {
    return holder.turn(now).stream().filter(t -> t instanceof Task.Claim).count();
  }

  private static Lease lease(long rv) {
    return lease(rv, "me");
  }

  private static Lease lease(long rv, String heldBy) {
    return new Lease(
        "nodekeeper", "uid", rv, heldBy, 8, 0, "", "", MemoryLeases.JSON.createObjectNode());
  }
}
