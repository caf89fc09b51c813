package dev.nodekeeper.sim;

import static org.assertj.core.api.Assertions.fail;

import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.sim.World.Plan;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories of the real Keeper against a small API server. {@code -Dsim.histories=N} sets
 * the number, {@code -Dsim.seed=S} the first seed; a failure names its own.
 */
@NullMarked
@DisplayName("In any history of people, kubelets, lag, crashes and lost replies")
class SimulationTest {
  private static final int HISTORIES = Integer.getInteger("sim.histories", 2_000);
  private static final long SEED = Long.getLong("sim.seed", 1);

  static Stream<Arguments> families() {
    return Stream.of(
        Arguments.of("one replica, nothing lost", new Family(1, 1, 0)),
        Arguments.of("one replica that restarts", new Family(1, 1, LOSSES | RESTARTS)),
        Arguments.of("two replicas, lost replies", new Family(2, 1, LOSSES)),
        Arguments.of("records edited by hand", new Family(2, 1, LOSSES | HAND)),
        Arguments.of("records forgotten", new Family(2, 1, LOSSES | FORGET)),
        Arguments.of("three replicas, two names, all at once", new Family(3, 2, ALL)));
  }

  static final int LOSSES = 1;
  static final int RESTARTS = 2;
  static final int HAND = 4;
  static final int FORGET = 8;
  static final int ALL = 15;

  private static final Policy KEEP_EVERYTHING =
      new Policy(Set.of(Kind.values()), List.of(), Policy.OnConflict.NODE, Policy.IdentityBy.NAME);

  record Family(int replicas, int names, int faults) {
    Plan plan(SplittableRandom random) {
      return new Plan(
          random.nextBoolean() ? Policy.DEFAULT : KEEP_EVERYTHING,
          replicas,
          List.of("n1", "n2").subList(0, names),
          20 + random.nextInt(100),
          (faults & LOSSES) != 0,
          (faults & RESTARTS) != 0,
          (faults & HAND) != 0,
          (faults & FORGET) != 0,
          random.nextBoolean());
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("families")
  @DisplayName("people's last word stands, foreign things stay, and then nothing more is written")
  void histories(String name, Family family) {
    int count = Math.max(1, HISTORIES / 6);
    for (long seed = SEED; seed < SEED + count; seed++) {
      play(name, family, seed);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("families")
  @Tag("long")
  @DisplayName("the same, for as long as the budget allows")
  void search(String name, Family family) {
    long until = System.nanoTime() + budget().toNanos() / families().count();
    long seed = Long.getLong("sim.seed", System.currentTimeMillis() * 1000);
    long first = seed;
    while (System.nanoTime() < until) {
      play(name, family, seed++);
    }
    System.out.printf("%s: %d histories from seed %d%n", name, seed - first, first);
  }

  /** As 90s, 10m or 1h. */
  private static Duration budget() {
    String text = System.getProperty("nodekeeper.budget", "1m");
    return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
  }

  private static void play(String name, Family family, long seed) {
    World world = new World(family.plan(new SplittableRandom(seed)), seed);
    try {
      world.run();
      world.checkAgainstWishes();
      world.checkQuiet();
      world.checkReplays();
      world.checkQuiet();
    } catch (AssertionError | RuntimeException e) {
      fail(
          "%s: %s (-Dsim.histories=6 -Dsim.seed=%d)%n%s".formatted(name, e, seed, world.history()),
          e);
    }
  }
}
