package dev.nodekeeper.it.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.keep.Shares;
import dev.nodekeeper.it.Clock;
import dev.nodekeeper.it.Running;
import dev.nodekeeper.it.World;
import dev.nodekeeper.it.fault.Crowd;
import dev.nodekeeper.testbed.AuditLog.Request;
import dev.nodekeeper.testbed.Patch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Replicas come, go, freeze, and disagree about the year; people tamper with leases")
final class ShareFaultsIT {
  private static final int SHARDS = 16;
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final int NODES = 48;

  private final long seed = Long.getLong("nodekeeper.seed", System.nanoTime() % 1_000_000);
  private final World world = new World();
  private final LeaseWatch leases = new LeaseWatch(world, SHARDS);
  private final List<Running> keepers = new ArrayList<>();
  @TempDir Path folder;

  @AfterEach
  void end() throws Exception {
    leases.close();
    world.close();
  }

  private static String[] flags(int shards) {
    return new String[] {"--shards=" + shards, "--lease=" + LEASE.toSeconds() + "s"};
  }

  private void start(int replicas) {
    for (int i = 0; i < replicas; i++) {
      keepers.add(world.keeper(flags(SHARDS)));
    }
    leases.awaitEven(keepers.size());
  }

  /** As people want it, as they left it and with all nodes back. */
  private static void converge(Crowd crowd, String where) throws InterruptedException {
    crowd.stop();
    crowd.awaitNoComplaints(where + ", as they stood");
    crowd.bringAllBack();
    crowd.awaitNoComplaints(where + ", all returned");
    assertThat(crowd.allWereAtWork()).isTrue();
  }

  @Test
  @DisplayName("scaled from 1 to 5 to 2 under load: nothing lost, nothing overwritten, even again")
  void scaled() throws Exception {
    String where = "scaled, -Dnodekeeper.seed=" + seed;
    start(1);
    try (Crowd crowd = new Crowd(world, NODES, seed)) {
      crowd.begin();
      Thread.sleep(1_500);
      start(4);
      Thread.sleep(1_500);
      for (int i = 0; i < 3; i++) {
        world.stop(keepers.removeFirst());
      }
      leases.awaitEven(2);
      Thread.sleep(1_500);
      converge(crowd, where);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 3})
  @DisplayName("7 replicas on 3 nodes: each node is served by one, once, whatever the shards")
  void moreReplicasThanNodes(int shards) throws Exception {
    try (LeaseWatch watch = new LeaseWatch(world, shards)) {
      for (int i = 0; i < 7; i++) {
        keepers.add(world.keeper(flags(shards)));
      }
      watch.awaitEven(7);
      var mark = world.mark();
      List<String> names = List.of("n0", "n1", "n2");
      names.forEach(world::register);
      names.forEach(name -> world.label(name, "team", name));
      names.forEach(name -> world.awaitRecordLabel(name, "team", name));
      names.forEach(world::vanish);
      names.forEach(world::register);
      names.forEach(name -> world.awaitLabel(name, "team", name));
      await("quiet").atMost(World.HANG).until(() -> keepers.stream().allMatch(Running::idle));
      Map<String, Long> requests = new TreeMap<>(world.requestsSince(mark));
      requests.keySet().removeIf(what -> what.endsWith(" leases"));
      assertThat(requests).isEqualTo(Map.of("create configmaps", 3L, "patch nodes", 3L));
    }
  }

  @Test
  @DisplayName("leases deleted and given away by hand at work: nothing lost, one owner again")
  void tampered() throws Exception {
    Random random = new Random(seed);
    start(3);
    try (Crowd crowd = new Crowd(world, NODES, seed)) {
      crowd.begin();
      for (int i = 0; i < 40; i++) {
        String lease = leases.path(random.nextInt(SHARDS));
        if (i % 2 == 0) {
          world.admin.delete(lease);
        } else {
          ObjectNode theft = World.JSON.createObjectNode();
          theft
              .putObject("spec")
              .put("holderIdentity", i % 4 == 1 ? "nobody-that-runs" : "")
              .put("leaseDurationSeconds", 1 + random.nextInt(3));
          world.admin.patch(lease, Patch.MERGE, theft);
        }
        Thread.sleep(150);
      }
      converge(crowd, "tampered, -Dnodekeeper.seed=" + seed);
      leases.awaitEven(3);
    }
  }

  @Test
  @DisplayName(
      "frozen for two leases: others serve, and it wakes up as nobody's owner: no late write")
  void frozen() throws Exception {
    var mark = world.mark();
    Replica a = Replica.start(world, "a", flags(SHARDS));
    Replica b = Replica.start(world, "b", flags(SHARDS));
    a.awaitReady();
    b.awaitReady();
    leases.awaitEven(2);
    try (Crowd crowd = new Crowd(world, NODES, seed)) {
      crowd.moveIn();
      crowd.awaitNoComplaints("before the frost");
      // It has nothing in flight, so whatever arrives late was sent late.
      Set<Integer> had = leases.of(a);
      a.freeze();
      crowd.begin();
      Thread.sleep(LEASE.multipliedBy(2));
      await("b has what a had").atMost(World.HANG).until(() -> leases.of(b).containsAll(had));
      String node = node(had.iterator().next());
      world.register(node);
      world.label(node, "team", "served");
      world.awaitRecordLabel(node, "team", "served");
      a.thaw();
      leases.awaitEven(2);
      Thread.sleep(1_000);
      converge(crowd, "frozen, -Dnodekeeper.seed=" + seed);
    }
    List<Request> late =
        Work.byOthers(
            world.plane.audit().since(mark).requests().stream()
                .filter(r -> r.user().equals(a.user) || r.user().equals(b.user))
                .toList(),
            SHARDS);
    assertThat(late).as("writes by who was not the owner, seed " + seed).isEmpty();
  }

  /** Some node of that shard. */
  private static String node(int shard) {
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> "frozen-" + i)
        .filter(name -> Shares.shard(name, SHARDS) == shard)
        .findFirst()
        .orElseThrow();
  }

  @Test
  @DisplayName("clocks ten years ahead and behind: they share, and hand over both ways as ever")
  void clocks() throws Exception {
    // The usual lease: a JVM that has to ask a library for the time is slow.
    String shards = "--shards=" + SHARDS;
    Running today = world.keeper(shards);
    try (Crowd crowd = new Crowd(world, NODES, seed)) {
      Replica ahead = Replica.start(world, "ahead", clock("+3650d"), shards);
      ahead.awaitReady();
      leases.awaitEven(2);
      crowd.begin();
      Set<Integer> had = leases.of(ahead);
      assertThat(renewed(had)).isAfter(Instant.now().plus(Duration.ofDays(3600)));
      ahead.kill();
      await("taken from the future").atMost(World.HANG).until(() -> leases.of(ahead).isEmpty());

      Replica behind = Replica.start(world, "behind", clock("-3650d"), shards);
      behind.awaitReady();
      leases.awaitEven(2);
      assertThat(renewed(leases.of(behind))).isBefore(Instant.now().minus(Duration.ofDays(3600)));
      world.stop(today);
      leases.awaitEven(1);
      converge(crowd, "clocks, -Dnodekeeper.seed=" + seed);
    }
  }

  private Instant renewed(Set<Integer> shards) {
    var lease = world.admin.get(leases.path(shards.iterator().next())).expect();
    return Instant.parse(lease.path("spec").path("renewTime").asText());
  }

  private Map<String, String> clock(String off) throws Exception {
    return Clock.by(Files.writeString(folder.resolve("clock" + off), off + "\n"));
  }
}
