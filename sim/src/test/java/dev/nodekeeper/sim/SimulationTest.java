package dev.nodekeeper.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.testbed.Budget;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random histories of the real Keeper against a small API server. {@code -Dsim.histories=N} sets
 * the number of the large family, {@code -Dsim.seed=S} the first seed. A failure prints the
 * smallest history that still fails, and the command that plays it again.
 */
@NullMarked
@DisplayName("In any history of people, kubelets, lag, crashes and lost replies")
class SimulationTest {
  private static final int HISTORIES = Integer.getInteger("sim.histories", 20_000);
  private static final int SMALLER = 10;

  @ParameterizedTest(name = "{0}")
  @EnumSource(Family.class)
  @DisplayName("people's last word stands, foreign things stay, and then nothing more is written")
  void histories(Family family) {
    Tally tally = new Tally();
    long first = Long.getLong("sim.seed", 1);
    int count = family == Family.ALL ? HISTORIES : HISTORIES / SMALLER;
    for (long seed = first; seed < first + count; seed++) {
      tally.play(family, seed);
    }
    System.out.println(family + " (" + family.meaning() + "): " + tally);
    if (count >= 1_000) {
      assertThat(tally.faults().keySet())
          .as("every fault of the family happens")
          .containsAll(family.faults());
    }
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    // a restored etcd
    "ALL, 20049100",
    "RESET, 20058063",
    "ALL, 20326358",
    "ALL, 20457242",
    // the version of a marker is dropped
    "HOSTILE, 20354357",
    "MIXED, 31586269",
    // taints that came first
    "ALL, 30331296",
    "MIXED, 31006777",
    // a list shows two writes as one
    "ALL, 31668938",
    "ALL, 41047260",
    "ALL, 41104554",
    // a marker is stripped, and who may adopt has not seen it
    "ROLES, 80235557",
    // set and unset before the first record
    "ROLES, 70304031",
    // a node found in a list, and a record cache that is older
    "ALL, 40226440",
    // overtaken by news between the decision and its turn to be sent
    "DYING, 40515581",
    "RESET, 41693799",
    "ROLES, 41844875",
    // the record says the same, by chance
    "ALL, 20330909",
    "ALL, 20382864",
    // limits
    "ALL, 20050962",
    "ALL, 20184946",
    "ALL, 20213384",
    "RECORDS, 30479409",
    "ALL, 30656844",
    "MIXED, 30680653",
    "ALL, 30812626",
    "ALL, 40495861",
    "ALL, 41159810",
    "ALL, 41428212",
    "HOSTILE, 90072235",
    "ALL, 90296656",
  })
  @DisplayName("also in those that once broke a promise")
  void foundBefore(Family family, long seed) {
    new Tally().play(family, seed);
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Family.class)
  @DisplayName("one seed is one history, byte for byte")
  void deterministic(Family family) {
    for (long seed = 1; seed <= 50; seed++) {
      assertThat(told(family, seed)).isEqualTo(told(family, seed)).contains("no more faults");
    }
    assertThat(told(family, 1)).isNotEqualTo(told(family, 2));
  }

  private static String told(Family family, long seed) {
    Story story = new Story();
    World.Result _ = World.play(Plan.of(family, seed), story);
    return story.text();
  }

  @Test
  @Tag("long")
  @DisplayName("the same, for as long as the budget allows")
  void search() throws InterruptedException, ExecutionException {
    AtomicLong seed = new AtomicLong(Long.getLong("sim.seed", System.currentTimeMillis() * 1000));
    System.out.println("from seed " + seed);
    long until = System.nanoTime() + Budget.orElse("1m").toNanos();
    int threads = Integer.getInteger("sim.threads", 1);
    Tally all = new Tally();
    try (var executor = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> searches = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        searches.add(
            executor.submit(
                () -> {
                  Tally mine = new Tally();
                  while (System.nanoTime() < until) {
                    long next = seed.getAndIncrement();
                    // Every second one is of the large family.
                    Family[] families = Family.values();
                    boolean large = next % 2 == 0;
                    mine.play(
                        large ? Family.ALL : families[(int) (next / 2 % families.length)], next);
                  }
                  all.add(mine);
                }));
      }
      for (Future<?> search : searches) {
        search.get();
      }
    }
    System.out.println(all + ", next seed " + seed);
    assertThat(all.histories()).isPositive();
  }
}
