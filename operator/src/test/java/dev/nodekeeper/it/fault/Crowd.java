package dev.nodekeeper.it.fault;

import static org.awaitility.Awaitility.await;

import dev.nodekeeper.it.Parallel;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Fleet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiFunction;
import org.awaitility.core.ConditionTimeoutException;

/** Several people at work at the same time, and a diary of what became of it. */
public final class Crowd implements AutoCloseable {
  private static final int PEOPLE = 6;

  /** A bound for a hang, not the promise. */
  static final Duration CONVERGED = Duration.ofSeconds(90);

  /** Who holds the write lock makes all of them pause. */
  final ReentrantReadWriteLock acting = new ReentrantReadWriteLock(true);

  final Diary diary;
  private final World world;
  private final List<People> people = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  /** Nodes are divided evenly; the seed sets what people choose. */
  public Crowd(World world, int nodes, long seed) {
    this.world = world;
    this.diary = new Diary(world);
    var machines = Fleet.machines("chaos", nodes);
    for (int i = 0; i < PEOPLE; i++) {
      var own = machines.subList(i * nodes / PEOPLE, (i + 1) * nodes / PEOPLE);
      people.add(new People(world, own, seed + i + 1, acting.readLock()));
    }
  }

  /** Every node is there and labelled before anybody begins. */
  public void moveIn() {
    Parallel.each(people, People::moveIn);
  }

  public void begin() {
    diary.open();
    for (People person : people) {
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .name("person-" + threads.size())
              .uncaughtExceptionHandler((_, e) -> e.printStackTrace())
              .start(person));
    }
  }

  public void stop() throws InterruptedException {
    people.forEach(person -> person.enough = true);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** After {@link #stop}. */
  public void bringAllBack() {
    Parallel.each(people, People::bringAllBack);
  }

  public int actions() {
    return people.stream().mapToInt(person -> person.actions).sum();
  }

  public boolean allWereAtWork() {
    return people.stream().allMatch(person -> person.actions > 10);
  }

  /** Until every node and record is as people want it; a failure tells the story of the others. */
  public void awaitNoComplaints(String where) {
    awaitNone(where, People::complaints);
  }

  /** Until what people want of deleted nodes is recorded. */
  void awaitSaved(String where) {
    awaitNone(where, People::unsaved);
  }

  private void awaitNone(String where, BiFunction<People, Look, Map<String, String>> complaints) {
    try {
      await(where)
          .atMost(CONVERGED)
          .pollInterval(Duration.ofMillis(250))
          .until(() -> all(complaints).isEmpty());
    } catch (ConditionTimeoutException e) {
      // What is wrong stands below its story: of a long output the end is what people get to see.
      StringBuilder text = new StringBuilder();
      all(complaints)
          .forEach((node, what) -> text.append(diary.of(node, 100) + "\n" + node + " " + what));
      throw new AssertionError(text + "\n" + where, e);
    }
  }

  private Map<String, String> all(BiFunction<People, Look, Map<String, String>> complaints) {
    Look look = Look.at(world);
    Map<String, String> found = new TreeMap<>();
    people.forEach(person -> found.putAll(complaints.apply(person, look)));
    return found;
  }

  @Override
  public void close() {
    people.forEach(person -> person.enough = true);
    diary.close();
  }
}
