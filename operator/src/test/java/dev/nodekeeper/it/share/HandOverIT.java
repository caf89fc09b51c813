package dev.nodekeeper.it.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.it.World;
import dev.nodekeeper.it.fault.Crowd;
import dev.nodekeeper.testbed.Budget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code -Dnodekeeper.budget=30m} sets the length of the long run, {@code -Dnodekeeper.seed=N} the
 * choices of people and who is killed (not the threads' timing), {@code -Dbench.out=FILE} where the
 * figures go.
 *
 * <p>An edit is only promised to survive when a living replica saw it (SCOPE.md), so the next one
 * is killed when the last one is back: two always live.
 */
@DisplayName("Three replicas share the nodes, one of them is always being killed")
final class HandOverIT {
  private static final int SHARDS = 16;
  private static final int REPLICAS = 3;
  private static final Duration EVERY = Duration.ofSeconds(10);
  private static final Duration QUIET = Duration.ofSeconds(6);
  private static final String KILLED = "kill -9";
  private static final String STOPPED = "SIGTERM";

  private final long seed = Long.getLong("nodekeeper.seed", System.nanoTime() % 1_000_000);
  private final Random random = new Random(seed);
  private final World world = new World();
  private final LeaseWatch leases = new LeaseWatch(world, SHARDS);
  private final List<Replica> replicas = new ArrayList<>();
  private int kills;

  @AfterEach
  void end() throws Exception {
    leases.close();
    world.close();
  }

  @Test
  @DisplayName("200 nodes, 30 s: nothing lost, nothing overwritten, figures printed")
  void sample() throws Exception {
    chaos(200, Duration.ofSeconds(30), 2);
  }

  @Test
  @Tag("long")
  @DisplayName("2,000 nodes, as long as you like (-Dnodekeeper.budget)")
  void budget() throws Exception {
    chaos(2000, Budget.orElse("30m"), 10);
  }

  private void chaos(int nodes, Duration length, int stops) throws Exception {
    System.out.println("hand-over: -Dnodekeeper.seed=" + seed);
    for (int i = 0; i < REPLICAS; i++) {
      replicas.add(Replica.start(world, "r" + i, "--shards=" + SHARDS, "--empty-grace=2s"));
    }
    try (Crowd crowd = new Crowd(world, nodes, seed);
        Probes probes = new Probes(world, SHARDS);
        Waits waits = new Waits(world)) {
      crowd.moveIn();
      replicas.forEach(Replica::awaitReady);
      leases.awaitEven(REPLICAS);
      crowd.awaitNoComplaints("before any trouble");
      List<Long> calm = waits.all();
      crowd.begin();
      long end = System.nanoTime() + length.toNanos();
      while (System.nanoTime() < end) {
        long began = System.nanoTime();
        kill(probes);
        Thread.sleep(Math.max(0, EVERY.toMillis() - (System.nanoTime() - began) / 1_000_000));
      }
      for (int i = 0; i < stops; i++) {
        stop(probes);
      }
      crowd.stop();
      String where = "seed %d after %d kills and %d stops".formatted(seed, kills, stops);
      Duration converged = converge(crowd, where);
      await("every probe is recorded").atMost(World.HANG).until(probes::answered);
      List<Long> busy = new ArrayList<>(waits.all());
      calm.forEach(busy::remove);
      report(nodes, length, stops, crowd, converged, probes, busy, waits);
      assertThat(crowd.allWereAtWork()).as("each person was at work, " + where).isTrue();
      assertThat(probes.after(KILLED)).as("hand-overs after kill -9").isNotEmpty();
      assertThat(probes.after(STOPPED)).as("hand-overs after SIGTERM").isNotEmpty();
    }
  }

  private void kill(Probes probes) {
    replicas.forEach(Replica::awaitReady);
    Replica replica = replicas.get(random.nextInt(REPLICAS));
    Set<Integer> had = leases.of(replica);
    long at = System.nanoTime();
    replica.kill();
    leases.orphaned(had, at);
    probes.ask(had, KILLED, at);
    replica.start();
    kills++;
  }

  private void stop(Probes probes) {
    replicas.forEach(Replica::awaitReady);
    leases.awaitEven(REPLICAS);
    Replica replica = replicas.get(random.nextInt(REPLICAS));
    Set<Integer> had = leases.of(replica);
    long at = System.nanoTime();
    replica.terminate();
    probes.ask(had, STOPPED, at);
    replica.awaitEnd();
    await("served again after SIGTERM").atMost(World.HANG).until(probes::answered);
    replica.start();
  }

  /** As people want it, as they left it and with all nodes back; and then nothing more happens. */
  private Duration converge(Crowd crowd, String where) throws InterruptedException {
    long last = System.nanoTime();
    crowd.awaitNoComplaints(where + ", as they stood");
    Duration took = Duration.ofNanos(System.nanoTime() - last);
    crowd.bringAllBack();
    crowd.awaitNoComplaints(where + ", all returned");
    replicas.forEach(Replica::awaitReady);
    leases.awaitEven(REPLICAS);
    // An empty record is removed after its grace time; then there is nothing left to do.
    Thread.sleep(4_000);
    var mark = world.mark();
    Thread.sleep(QUIET);
    var writes =
        world.plane.audit().since(mark).requests().stream()
            .filter(r -> replicas.stream().anyMatch(replica -> replica.user.equals(r.user())))
            .filter(Work::isWrite)
            .toList();
    assertThat(writes).as("writes when nothing happens, " + where).isEmpty();
    return took;
  }

  // ---- figures

  private void report(
      int nodes,
      Duration length,
      int stops,
      Crowd crowd,
      Duration converged,
      Probes probes,
      List<Long> busy,
      Waits waits)
      throws IOException {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("nodes", nodes);
    figures.put("replicas", REPLICAS);
    figures.put("shards", SHARDS);
    figures.put("lease, s", 8);
    figures.put("chaos, s", length.toSeconds());
    figures.put("people's actions", crowd.actions());
    figures.put("replicas killed", kills);
    figures.put("replicas stopped", stops);
    figures.put("hand-over of a shard after kill -9, ms", spread(probes.after(KILLED)));
    figures.put("of that, until the lease was taken, ms", spread(leases.taken()));
    figures.put("hand-over of a shard after SIGTERM, ms", spread(probes.after(STOPPED)));
    figures.put("orphaned again before they were served", probes.again());
    figures.put("edit to record or return to restore, ms", spread(busy));
    figures.put("the longest of them", waits.longest());
    figures.put("watches of these that the server ended", waits.gaps());
    figures.put("as wanted after the last act, ms", converged.toMillis());
    figures.put("seed", seed);
    String text = World.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(figures);
    System.out.println("hand-over: " + text);
    String out = System.getProperty("bench.out", "");
    if (!out.isEmpty()) {
      Files.writeString(Path.of(out), text + "\n");
    }
  }

  private static Map<String, Long> spread(List<Long> nanos) {
    List<Long> sorted = nanos.stream().sorted().toList();
    Map<String, Long> spread = new LinkedHashMap<>();
    spread.put("count", (long) sorted.size());
    if (!sorted.isEmpty()) {
      spread.put("p50", at(sorted, 0.50));
      spread.put("p99", at(sorted, 0.99));
      spread.put("longest", sorted.getLast() / 1_000_000);
    }
    return spread;
  }

  private static long at(List<Long> sorted, double share) {
    return sorted.get((int) Math.min(sorted.size() - 1, sorted.size() * share)) / 1_000_000;
  }
}
