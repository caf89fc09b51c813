package dev.nodekeeper.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import dev.nodekeeper.share.Simulation.Replica;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Replicas in virtual time, with wall clocks years apart")
class ShareSimulationTest {
  private static final Duration QUIET = Duration.ofSeconds(30);

  /** One number replays a run: {@code -Dnodekeeper.seed=17}; more: -Dnodekeeper.seeds=600. */
  private static LongStream seeds() {
    Long one = Long.getLong("nodekeeper.seed");
    return one == null
        ? LongStream.range(0, Integer.getInteger("nodekeeper.seeds", 25))
        : LongStream.of(one);
  }

  @Test
  @DisplayName(
      "crashes, stops, starts, frozen processes, lost replies and outages: never two owners")
  void chaos() {
    seeds().forEach(ShareSimulationTest::chaos);
  }

  private static void chaos(long seed) {
    Simulation world = null;
    try {
      var random = new java.util.SplittableRandom(seed);
      int shards = random.nextInt(4) == 0 ? 1 : random.nextInt(2, 65);
      world = new Simulation(shards, seed);
      world.start();
      for (int step = 0; step < 12; step++) {
        trouble(world);
        world.run(Duration.ofMillis(world.random.nextInt(6000)));
      }
      world.loss = 0;
      world.down = false;
      world.replicas.stream().filter(r -> r.frozen).forEach(Replica::thaw);
      world.start();
      world.run(QUIET);
      assertThat(world.even()).as(world.picture()).isTrue();
      long moves = world.server.moves();
      world.run(QUIET);
      assertThat(world.server.moves()).as("moves when nothing happens").isEqualTo(moves);
      assertThat(world.even()).as(world.picture()).isTrue();
    } catch (AssertionError | RuntimeException e) {
      fail(
          "replay with -Dnodekeeper.seed=" + seed + " " + (world == null ? "" : world.picture()),
          e);
    }
  }

  private static void trouble(Simulation world) {
    List<Replica> living = world.living();
    Replica some =
        living.isEmpty() ? world.start() : living.get(world.random.nextInt(living.size()));
    switch (world.random.nextInt(10)) {
      case 0 -> some.crash();
      case 1 -> some.stop();
      case 2 -> some.frozen = true;
      case 3 -> living.stream().filter(r -> r.frozen).forEach(Replica::thaw);
      case 4 -> world.loss = world.random.nextDouble(0.3);
      case 5 -> world.down = !world.down;
      case 6 ->
          world.server.overwrite(
              world.layout.shard(world.random.nextInt(world.layout.shards())), "a-person");
      default -> {
        if (living.size() < 20) {
          world.start();
        }
      }
    }
  }

  @Test
  @DisplayName("a deleted lease is made again by its owner; nobody else takes it meanwhile")
  void deleted() {
    seeds()
        .limit(30)
        .forEach(
            seed -> {
              Simulation world = new Simulation(seed % 2 == 0 ? 1 : 16, seed);
              world.start();
              world.start();
              world.start();
              settle(world);
              assertThat(world.unowned()).isZero();
              String lease = world.layout.shard(0);
              String before = world.server.holder(lease);
              world.server.delete(lease);
              world.run(Duration.ofSeconds(4));
              assertThat(world.server.holder(lease)).isEqualTo(before);
              assertThat(world.unowned()).isZero();
            });
  }

  @Test
  @DisplayName("one more, or one less: only what must move does")
  void fewMoves() {
    Simulation world = new Simulation(16, 1);
    for (int i = 0; i < 3; i++) {
      world.start();
    }
    settle(world);
    assertThat(world.even()).as(world.picture()).isTrue();

    long before = world.server.moves();
    Replica fourth = world.start();
    settle(world);
    assertThat(world.server.moves() - before).isEqualTo(4);
    assertThat(fourth.owned()).isEqualTo(4);

    before = world.server.moves();
    fourth.stop();
    settle(world);
    assertThat(world.server.moves() - before).isEqualTo(4);
    assertThat(world.even()).as(world.picture()).isTrue();
  }

  @Test
  @DisplayName("after an outage everybody keeps what they had")
  void outage() {
    Simulation world = new Simulation(16, 2);
    for (int i = 0; i < 3; i++) {
      world.start();
    }
    settle(world);
    long before = world.server.moves();
    world.down = true;
    world.run(Duration.ofSeconds(60));
    assertThat(world.unowned()).isEqualTo(16);
    world.down = false;
    world.run(Duration.ofSeconds(6));
    assertThat(world.unowned()).isZero();
    assertThat(world.server.moves()).isEqualTo(before);
  }

  @Test
  @DisplayName("a dead replica's shards change hands after the lease and within two seconds more")
  void expiry() {
    for (int seed = 0; seed < 20; seed++) {
      Simulation world = new Simulation(seed % 2 == 0 ? 1 : 16, seed);
      world.start();
      world.start();
      settle(world);
      Replica victim = world.living().stream().filter(r -> r.owned() > 0).findFirst().orElseThrow();
      victim.crash();
      // It may have renewed up to 2 s ago.
      world.run(Duration.ofMillis(5_800));
      assertThat(world.unowned()).isPositive();
      world.run(Duration.ofMillis(4_200));
      assertThat(world.unowned()).as("seed " + seed).isZero();
    }
  }

  @Test
  @DisplayName(
      "the same when the dead one starts again at once: those who saw it die are its heirs")
  void expiryAndRestart() {
    for (int seed = 0; seed < 20; seed++) {
      Simulation world = new Simulation(16, seed);
      for (int i = 0; i < 2 + seed % 3; i++) {
        world.start();
      }
      settle(world);
      Replica victim = world.living().getFirst();
      victim.crash();
      world.run(Duration.ofSeconds(3));
      Replica newcomer = world.start();
      world.run(Duration.ofSeconds(7));
      assertThat(IntStream.range(0, 16).mapToObj(world.layout::shard).map(world.server::holder))
          .as("seed " + seed + world.picture())
          .doesNotContain(victim.name);
      settle(world);
      assertThat(world.even()).as("seed " + seed + world.picture()).isTrue();
      assertThat(newcomer.owned()).isPositive();
    }
  }

  @Test
  @DisplayName("who came to know the nodes after the death is no heir, however early it was there")
  void lateHeir() {
    for (int seed = 0; seed < 50; seed++) {
      Simulation world = new Simulation(16, seed);
      world.start();
      world.start();
      settle(world);
      Replica victim = world.living().getFirst();
      Replica newcomer = world.startCold();
      world.run(Duration.ofSeconds(1));
      Set<String> orphans = heldBy(world, victim.name);
      victim.crash();
      world.run(Duration.ofSeconds(5));
      newcomer.warm = true;
      for (int i = 0; i < 50; i++) {
        world.run(Duration.ofMillis(100));
        assertThat(orphans.stream().map(world.server::holder))
            .as("seed " + seed + world.picture())
            .doesNotContain(newcomer.name);
        orphans.removeIf(lease -> !world.server.holder(lease).equals(victim.name));
      }
      assertThat(orphans).as("seed " + seed + world.picture()).isEmpty();
    }
  }

  @Test
  @DisplayName("what was given up for one that died is not for who came to know the nodes later")
  void deadTaker() {
    int seen = 0;
    for (int seed = 0; seed < 50; seed++) {
      Simulation world = new Simulation(16, seed);
      world.start();
      world.start();
      settle(world);
      Replica taker = world.start();
      Set<String> nobodys = Set.of();
      for (int i = 0; i < 1000 && nobodys.isEmpty(); i++) {
        world.run(Duration.ofMillis(10));
        nobodys = heldBy(world, "");
      }
      taker.crash();
      Replica newcomer = world.startCold();
      world.run(Duration.ofMillis(500));
      Set<String> left = new HashSet<>(nobodys);
      left.retainAll(heldBy(world, ""));
      seen += left.size();
      newcomer.warm = true;
      for (int i = 0; i < 40; i++) {
        world.run(Duration.ofMillis(100));
        assertThat(left.stream().map(world.server::holder))
            .as("seed " + seed + world.picture())
            .doesNotContain(newcomer.name);
        left.removeIf(lease -> !world.server.holder(lease).isEmpty());
      }
      assertThat(left).as("seed " + seed + world.picture()).isEmpty();
    }
    assertThat(seen).as("leases whose taker died in time").isPositive();
  }

  private static Set<String> heldBy(Simulation world, String holder) {
    return IntStream.range(0, world.layout.shards())
        .mapToObj(world.layout::shard)
        .filter(lease -> world.server.holder(lease).equals(holder))
        .collect(Collectors.toSet());
  }

  @Test
  @DisplayName("who does not know the nodes yet takes nothing, and nobody makes room for it")
  void cold() {
    Simulation world = new Simulation(16, 4);
    Replica first = world.start();
    settle(world);
    Replica second = world.startCold();
    settle(world);
    assertThat(first.owned()).isEqualTo(16);
    second.warm = true;
    settle(world);
    assertThat(second.owned()).isEqualTo(8);
    Simulation alone = new Simulation(1, 5);
    Replica only = alone.startCold();
    settle(alone);
    assertThat(only.owned()).isZero();
    only.warm = true;
    settle(alone);
    assertThat(only.owned()).isEqualTo(1);
  }

  @Test
  @DisplayName("a clean stop hands over within two seconds")
  void cleanStop() {
    for (int seed = 0; seed < 20; seed++) {
      Simulation world = new Simulation(seed % 2 == 0 ? 1 : 16, seed);
      world.start();
      world.start();
      world.start();
      settle(world);
      world.living().stream().filter(r -> r.owned() > 0).findFirst().orElseThrow().stop();
      world.run(Duration.ofSeconds(2));
      assertThat(world.unowned()).as("seed " + seed + " " + world.picture()).isZero();
    }
  }

  /** To no special moment: renewals keep step with the beginning. */
  private static void settle(Simulation world) {
    world.run(QUIET.plusMillis(world.random.nextInt(2000)));
  }
}
