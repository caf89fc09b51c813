package dev.nodekeeper.share;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** How many shards each replica is due: as even as possible, with as few moves as possible. */
final class Balance {
  private Balance() {}

  /**
   * Everyone gets the same; what is left over goes to those who hold most, because they need not
   * move for it. Replicas with the same view come to the same answer, so dues add up to the whole.
   *
   * @param held by replica, everyone who takes part included
   */
  static int due(String replica, Map<String, Integer> held, int shards) {
    List<String> ranking =
        held.keySet().stream()
            .sorted(
                Comparator.<String>comparingInt(each -> -held.getOrDefault(each, 0))
                    .thenComparing(Comparator.naturalOrder()))
            .toList();
    int rank = ranking.indexOf(replica);
    if (rank < 0) {
      throw new IllegalArgumentException(replica + " does not take part");
    }
    return shards / ranking.size() + (rank < shards % ranking.size() ? 1 : 0);
  }
}
