package dev.nodekeeper.sim;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.NullMarked;

/** What many histories had in them. */
@NullMarked
final class Tally {
  private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
  private final Map<Limit, Integer> limits = new EnumMap<>(Limit.class);
  private long histories;
  private long nanos;

  /** Plays one; a broken promise becomes a story. */
  void play(Family family, long seed) {
    long start = System.nanoTime();
    World.Result result = World.play(Plan.of(family, seed));
    nanos += System.nanoTime() - start;
    histories++;
    result.happened().forEach(fault -> faults.merge(fault, 1, Integer::sum));
    result.excused().forEach(limit -> limits.merge(limit, 1, Integer::sum));
    if (result.violation() != null) {
      throw new AssertionError(Simulate.tell(Plan.of(family, seed)), result.violation());
    }
  }

  synchronized void add(Tally other) {
    other.faults.forEach((fault, count) -> faults.merge(fault, count, Integer::sum));
    other.limits.forEach((limit, count) -> limits.merge(limit, count, Integer::sum));
    histories += other.histories;
    nanos += other.nanos;
  }

  Map<Fault, Integer> faults() {
    return faults;
  }

  long histories() {
    return histories;
  }

  @Override
  public String toString() {
    return "%,d histories, %,.0f/s per thread, excused by known limits: %s"
        .formatted(histories, histories / (nanos / 1e9), limits);
  }
}
