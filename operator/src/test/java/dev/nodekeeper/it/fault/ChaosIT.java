package dev.nodekeeper.it.fault;

import static dev.nodekeeper.it.World.through;
import static dev.nodekeeper.testbed.fault.Match.any;
import static dev.nodekeeper.testbed.fault.Match.watch;
import static dev.nodekeeper.testbed.fault.Match.writes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.it.RunProcess;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Budget;
import dev.nodekeeper.testbed.Part;
import dev.nodekeeper.testbed.fault.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code -Dnodekeeper.budget=1h} sets the length of the long run, {@code -Dnodekeeper.seed=N} the
 * choices of people and faults (not the threads' timing).
 *
 * <p>An edit is only promised to survive when a living replica saw it (SCOPE.md). The one replica
 * that always lives sees all of them, but for one case: a restarted API server has no history. So
 * around that fault people wait until what they changed on deleted nodes is recorded, and go on
 * when that replica watches again.
 */
@DisplayName("Chaos: three replicas, one of which always lives; nothing lost, nothing overwritten")
final class ChaosIT {
  private static final int NODES = 30;
  private static final Duration QUIET = Duration.ofSeconds(20);

  private final long seed = Long.getLong("nodekeeper.seed", System.nanoTime() % 1_000_000);
  private final World world = new World(FaultPlane.get());
  private final Crowd crowd = new Crowd(world, NODES, seed);
  private final Map<String, Integer> done = new TreeMap<>();

  @AfterEach
  void end() throws Exception {
    crowd.close();
    world.close();
  }

  @Test
  @DisplayName("2 minutes of it")
  void twoMinutes() throws Exception {
    chaos(Duration.ofMinutes(2));
  }

  @Test
  @Tag("long")
  @DisplayName("as long as you like (-Dnodekeeper.budget)")
  void budget() throws Exception {
    chaos(Budget.orElse("10m"));
  }

  private void chaos(Duration length) throws Exception {
    System.out.println("chaos: -Dnodekeeper.seed=" + seed);
    FaultProxy safeWay = world.proxy();
    RunProcess.start(world, through(safeWay), "--empty-grace=2s");
    awaitWatching(safeWay, 0);
    List<Replica> replicas = List.of(new Replica(), new Replica());
    crowd.begin();

    Random random = new Random(seed);
    long end = System.nanoTime() + length.toNanos();
    while (System.nanoTime() < end) {
      Replica replica = replicas.get(random.nextInt(replicas.size()));
      int choice = random.nextInt(22);
      Thread.sleep(200 + random.nextInt(1500));
      if (choice == 0) {
        restartApiServer(safeWay);
      } else {
        replica.next(choice, random);
      }
    }
    for (Replica replica : replicas) {
      replica.recover();
    }
    crowd.stop();
    converge();
  }

  private void converge() throws Exception {
    String where = "seed " + seed + " after " + done;
    long last = System.nanoTime();
    crowd.awaitNoComplaints(where + ", as they stood");
    double first = (System.nanoTime() - last) / 1e9;
    crowd.bringAllBack();
    crowd.awaitNoComplaints(where + ", all returned");
    double second = (System.nanoTime() - last) / 1e9;
    // An empty record is removed after its grace time; then there is nothing left to do.
    Thread.sleep(4_000);
    var mark = world.mark();
    Thread.sleep(QUIET);
    long writes =
        FaultPlane.get()
            .audit()
            .since(mark)
            .count(
                world.user,
                r ->
                    !List.of("get", "list", "watch").contains(r.verb())
                        && !r.resource().equals("events"));
    System.out.printf(
        "chaos: %d actions, faults %s; as wanted %.1f s after the last fault, with all back %.1f s;"
            + " %d writes in %d s of quiet; seed %d%n",
        crowd.actions(), done, first, second, writes, QUIET.toSeconds(), seed);
    assertThat(writes).as("writes when nothing happens, " + where).isZero();
    assertThat(crowd.allWereAtWork()).as("each person was at work, " + where).isTrue();
  }

  /** See above: nobody has a history of what happens while the watches are cut. */
  private void restartApiServer(FaultProxy safeWay) {
    crowd.acting.writeLock().lock();
    try {
      crowd.awaitSaved("seed " + seed + ", what is away is recorded, after " + done);
      int before = watches(safeWay);
      FaultPlane.get().restart(Part.APISERVER);
      awaitWatching(safeWay, before);
      crowd.diary.open();
      done.merge("API server restarted", 1, Integer::sum);
    } finally {
      crowd.acting.writeLock().unlock();
    }
  }

  private static void awaitWatching(FaultProxy way, int before) {
    await("the safe replica watches").atMost(Crowd.CONVERGED).until(() -> watches(way) > before);
  }

  private static int watches(FaultProxy way) {
    return (int) way.journal(watch("nodes")).stream().filter(c -> c.status() == 200).count();
  }

  /** One that has a hard time, and always comes back. */
  private final class Replica {
    private final FaultProxy proxy = world.proxy();
    private Process process = start();
    private boolean troubled;

    private Process start() {
      return RunProcess.start(world, through(proxy), "--empty-grace=2s");
    }

    /** In trouble it recovers, well it gets into trouble. */
    void next(int choice, Random random) {
      if (troubled) {
        recover();
        return;
      }
      String what =
          switch (choice % 9) {
            case 0, 1 -> {
              process.destroyForcibly().onExit().join();
              yield "killed";
            }
            case 2 -> {
              RunProcess.signal(process, "STOP");
              yield "stopped";
            }
            case 3 -> {
              proxy.cut();
              yield "cut";
            }
            case 4 -> {
              proxy.shut();
              yield "shut off";
            }
            case 5 -> {
              proxy.on(any()).delay(millis(random, 800), millis(random, 800));
              yield "slow";
            }
            case 6 -> {
              proxy.on(any()).muteReplies();
              yield "replies held";
            }
            case 7 -> {
              proxy.on(any()).muteRequests();
              yield "requests held";
            }
            default -> {
              proxy.on(writes()).firstOnes(1 + random.nextInt(5)).dropReply();
              yield "replies lost";
            }
          };
      troubled = true;
      done.merge(what, 1, Integer::sum);
    }

    void recover() {
      if (process.isAlive()) {
        RunProcess.signal(process, "CONT");
      } else {
        process = start();
      }
      proxy.heal();
      troubled = false;
    }

    private static Duration millis(Random random, int most) {
      return Duration.ofMillis(random.nextInt(most));
    }
  }
}
