package dev.nodekeeper.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.sim.Script.Performance;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The simulator proves something only as far as its API server behaves like a real one. {@code
 * -Dreality.scripts=N} sets the number of scripts, {@code -Dreality.seed=S} the first seed.
 */
@DisplayName("The simulated API server does what the real one does")
class RealityIT {
  private static final int SCRIPTS = Integer.getInteger("reality.scripts", 600);
  private static final long SEED = Long.getLong("reality.seed", 1);
  private static final int AT_ONCE = 24;
  private static final int WATCHED_AGAIN = 8;

  /** What the scripts must have met for their agreement to mean something. */
  private static final List<String> MET =
      List.of(
          "PATCH: Ok",
          "PATCH: Conflict 409",
          "PATCH: Conflict 422",
          "PATCH: Gone",
          "DUPLICATE_TAINTS: Refused 422",
          "CREATE_RECORD: Ok",
          "CREATE_RECORD: Conflict 409",
          "UPDATE_RECORD: Ok",
          "UPDATE_RECORD: Conflict 409",
          "UPDATE_RECORD: Gone",
          "DELETE_RECORD: Ok",
          "DELETE_RECORD: Conflict 409",
          "DELETE_RECORD: Gone",
          "READ: no node",
          "LIST: [NodeState",
          "DELETE: again",
          "ADDED",
          "MODIFIED",
          "DELETED",
          "RecordSeen",
          "RecordDeleted",
          "NOTE");

  private static final Policy EVERYTHING =
      new Policy(Set.of(Kind.values()), List.of(), Policy.OnConflict.NODE, Policy.IdentityBy.NAME);

  private static final AtomicInteger NAMES = new AtomicInteger();
  private static RealSide real;

  @BeforeAll
  static void start() throws Exception {
    real = new RealSide(EVERYTHING);
  }

  @AfterAll
  static void end() {
    real.close();
  }

  /** The same script on both. */
  private record Pair(long seed, String name, Performance simulated, Performance onReal) {
    static Pair of(long seed, Script script) {
      String name = "n-" + NAMES.incrementAndGet();
      return new Pair(
          seed, name, script.on(new SimulatedSide(EVERYTHING), name), script.on(real, name));
    }
  }

  @Test
  @DisplayName("same answers, same error codes, same events in the same order, for every script")
  void scripts() throws Exception {
    long began = System.nanoTime();
    List<Pair> pairs = play();
    real.fence();
    List<String> lines = new ArrayList<>();
    List<Long> disagree = new ArrayList<>();
    for (Pair pair : pairs) {
      List<String> simulated = pair.simulated().transcript();
      if (!pair.onReal().transcript().equals(simulated)) {
        disagree.add(pair.seed());
      }
      lines.addAll(simulated);
    }
    if (!disagree.isEmpty()) {
      fail(
          "%d scripts disagree; the first ones, shortened:%n%s"
              .formatted(
                  disagree.size(), explained(disagree.subList(0, Math.min(3, disagree.size())))));
    }
    System.out.printf(
        "reality: %d scripts, %d answers and events agree, %.1f s%n",
        pairs.size(), lines.size(), (System.nanoTime() - began) / 1e9);
    watchesFromTheMiddle(pairs);
    if (SCRIPTS >= 500) {
      assertThat(MET)
          .allMatch(kind -> lines.stream().filter(l -> l.startsWith(kind)).count() >= 10);
    }
  }

  private static List<Pair> play() throws Exception {
    List<Pair> pairs = new ArrayList<>();
    try (var threads = Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
      List<Future<Pair>> running = new ArrayList<>();
      for (long seed = SEED; seed < SEED + SCRIPTS; seed++) {
        long mine = seed;
        running.add(threads.submit(() -> Pair.of(mine, Script.of(mine))));
      }
      for (Future<Pair> each : running) {
        pairs.add(each.get());
      }
    }
    return pairs;
  }

  /** A watch from an earlier revision shows exactly what came after it. */
  private static void watchesFromTheMiddle(List<Pair> pairs) {
    List<Pair> noted = pairs.stream().filter(p -> !p.simulated().notes().isEmpty()).toList();
    for (Pair pair : noted.subList(Math.max(0, noted.size() - WATCHED_AGAIN), noted.size())) {
      List<String> simulated = since(pair.simulated());
      assertThat(since(pair.onReal())).as("seed %d", pair.seed()).isEqualTo(simulated);
    }
  }

  private static List<String> since(Performance performance) {
    Transcript transcript = new Transcript();
    for (Input input : performance.since(performance.notes().getFirst())) {
      transcript.add(Transcript.describe(input));
    }
    return transcript.canonical();
  }

  private static String explained(List<Long> seeds) throws InterruptedException {
    StringBuilder text = new StringBuilder();
    for (long seed : seeds) {
      text.append(explained(seed));
    }
    return text.toString();
  }

  /** The shortest script that still disagrees, up to the point where it does. */
  private static String explained(long seed) throws InterruptedException {
    Script script = Script.of(seed);
    String text = "seed " + seed + " agrees when it is played again\n";
    for (int i = script.steps().size(); i >= 0; i--) {
      Script shorter = i == script.steps().size() ? script : script.without(i);
      Pair pair = Pair.of(seed, shorter);
      real.fence();
      String difference = difference(pair.simulated().transcript(), pair.onReal().transcript());
      if (!difference.isEmpty()) {
        script = shorter;
        text = "-Dreality.scripts=1 -Dreality.seed=%d%n%s".formatted(seed, difference);
      }
    }
    return text;
  }

  private static String difference(List<String> simulated, List<String> onReal) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.max(simulated.size(), onReal.size()); i++) {
      String left = i < simulated.size() ? simulated.get(i) : "nothing";
      String right = i < onReal.size() ? onReal.get(i) : "nothing";
      if (!left.equals(right)) {
        return text + "  simulated " + left + "\n  real      " + right + "\n";
      }
      text.append("  both      ").append(left).append('\n');
    }
    return "";
  }
}
