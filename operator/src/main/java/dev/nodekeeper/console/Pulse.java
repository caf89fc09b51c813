package dev.nodekeeper.console;

import dev.nodekeeper.core.model.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** The numbers of the last hour, one sample every ten seconds. */
final class Pulse {
  static final int SECONDS = 10;
  private static final int SAMPLES = 3600 / SECONDS;

  private final List<Sample> samples = new ArrayList<>(SAMPLES);

  /**
   * The numbers at one moment.
   *
   * @param restored since the process started
   * @param captured likewise
   */
  record Sample(Map<State, Integer> states, long restored, long captured) {
    long of(State state) {
      return states.getOrDefault(state, 0);
    }
  }

  synchronized void add(Sample sample) {
    if (samples.size() == SAMPLES) {
      samples.removeFirst();
    }
    samples.add(sample);
  }

  /** Oldest first. */
  synchronized List<Long> line(ToLongFunction<Sample> number) {
    return samples.stream().map(number::applyAsLong).toList();
  }
}
