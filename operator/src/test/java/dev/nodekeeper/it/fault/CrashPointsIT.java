package dev.nodekeeper.it.fault;

import static dev.nodekeeper.it.World.through;
import static dev.nodekeeper.testbed.fault.Match.any;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.Nodekeeper;
import dev.nodekeeper.StartupException;
import dev.nodekeeper.it.RunProcess;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.fault.Call;
import dev.nodekeeper.testbed.fault.FaultProxy;
import dev.nodekeeper.testbed.fault.Rule.Point;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One crash per request of {@link Story} and point of it. {@code -Dnodekeeper.seed=N} chooses the
 * sample, {@code -Dnodekeeper.crash=17:BEFORE_REPLY} plays one plan alone.
 */
@DisplayName(
    "We die at any request (before it, after it is done, after its reply): the same end state")
final class CrashPointsIT {
  private static final String FLAG = "--empty-grace=1s";
  private static final Duration SAMPLE = Duration.ofSeconds(75);
  private static final long SEED =
      Long.getLong("nodekeeper.seed", LocalDate.now(ZoneOffset.UTC).toEpochDay());

  /** The crash at that request, counted from 1; 0 is none. */
  record Plan(int request, Point point) {
    static Plan parse(String text) {
      String[] parts = text.split(":", 2);
      return new Plan(Integer.parseInt(parts[0]), Point.valueOf(parts[1]));
    }

    @Override
    public String toString() {
      return request + ":" + point;
    }
  }

  /** One of us, ended without a last word. */
  private interface Victim {
    void crash();
  }

  private interface Start {
    Victim us(World world, FaultProxy proxy);
  }

  @Test
  @DisplayName("a sample of all plans, another one every day")
  void sample() throws Exception {
    int requests = reference(CrashPointsIT::inThisJvm);
    List<Plan> plans = plans(requests);
    Collections.shuffle(plans, new Random(SEED));
    long end = System.nanoTime() + SAMPLE.toNanos();
    int played = 0;
    while (played < plans.size() && System.nanoTime() < end) {
      check(plans.get(played++), CrashPointsIT::inThisJvm);
    }
    System.out.printf(
        "crash points: %d of %d plans played (%d requests), seed %d%n",
        played, plans.size(), requests, SEED);
    assertThat(played).isPositive();
  }

  @Test
  @Tag("long")
  @DisplayName("all plans, as a process and kill -9")
  void all() throws Exception {
    int requests = reference(CrashPointsIT::asProcess);
    List<Plan> plans = plans(requests);
    for (Plan plan : plans) {
      check(plan, CrashPointsIT::asProcess);
    }
    System.out.printf("crash points: all %d plans (%d requests)%n", plans.size(), requests);
  }

  private static List<Plan> plans(int requests) {
    String one = System.getProperty("nodekeeper.crash");
    if (one != null) {
      return new ArrayList<>(List.of(Plan.parse(one)));
    }
    List<Plan> plans = new ArrayList<>();
    for (int request = 1; request <= requests; request++) {
      for (Point point : Point.values()) {
        plans.add(new Plan(request, point));
      }
    }
    return plans;
  }

  private Map<String, String> reference = Map.of();

  private int reference(Start start) throws Exception {
    try (World world = new World()) {
      FaultProxy proxy = world.proxy();
      start.us(world, proxy);
      reference = new Story(world).play();
      assertThat(reference)
          .containsEntry("node n1", "{colour=blue, team=hand} [dedicated=a:NoSchedule]")
          .containsEntry("node n2", "{} []")
          .doesNotContainKeys("record n2", "record n3");
      return proxy.journal().size();
    }
  }

  private void check(Plan plan, Start start) throws Exception {
    AtomicReference<Call> hit = new AtomicReference<>();
    try (World world = new World()) {
      FaultProxy proxy = world.proxy();
      CompletableFuture<Victim> victim = new CompletableFuture<>();
      List<Thread> after = new CopyOnWriteArrayList<>();
      FaultProxy clean = world.proxy();
      proxy
          .on(any())
          .nth(plan.request())
          .runAndCut(
              plan.point(),
              call -> {
                hit.set(call);
                // Nothing more of it comes through, whatever it tries while it ends.
                proxy.shut();
                after.add(
                    Thread.ofVirtual()
                        .start(
                            () -> {
                              victim.join().crash();
                              start.us(world, clean);
                            }));
              });
      victim.complete(start.us(world, proxy));
      Map<String, String> end = new Story(world).play();
      for (Thread thread : after) {
        thread.join();
      }
      assertThat(end).isEqualTo(reference);
    } catch (Throwable e) {
      throw new AssertionError(
          "crash plan %s at %s; replay with -Dnodekeeper.crash=%s (seed %d)"
              .formatted(plan, hit.get(), plan, SEED),
          e);
    }
  }

  /** Its connections are dead when it ends, so it says nothing more. */
  private static Victim inThisJvm(World world, FaultProxy proxy) {
    try {
      Nodekeeper keeper = Nodekeeper.start(world.settings(through(proxy), FLAG));
      world.closeLater(keeper);
      return () -> Thread.ofVirtual().start(keeper::close);
    } catch (StartupException e) {
      throw new IllegalStateException(e);
    } catch (Exception e) {
      throw new IllegalStateException("bad settings", e);
    }
  }

  private static Victim asProcess(World world, FaultProxy proxy) {
    Process process = RunProcess.start(world, through(proxy), FLAG);
    return process::destroyForcibly;
  }
}
