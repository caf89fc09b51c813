package dev.nodekeeper.core.keep;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Names that wait for a free request. By urgency: a deleted node's last state, then nodes that lack
 * what keeps pods off them, then those that lack anything else, then the rest. Of the same urgency
 * the shards take turns, and within a shard who came first.
 */
final class Waiting {
  private static final int URGENCIES = 4;

  /** By urgency, then shard: names and since when. */
  private final List<LinkedHashMap<Integer, LinkedHashMap<String, Long>>> queues =
      Stream.generate(LinkedHashMap<Integer, LinkedHashMap<String, Long>>::new)
          .limit(URGENCIES)
          .toList();

  void add(String name, int urgency, int shard, long now) {
    queues.get(urgency).computeIfAbsent(shard, _ -> new LinkedHashMap<>()).putIfAbsent(name, now);
  }

  @Nullable String next() {
    for (LinkedHashMap<Integer, LinkedHashMap<String, Long>> shards : queues) {
      Map.Entry<Integer, LinkedHashMap<String, Long>> turn = shards.pollFirstEntry();
      if (turn != null) {
        LinkedHashMap<String, Long> names = turn.getValue();
        String name = names.pollFirstEntry().getKey();
        if (!names.isEmpty()) {
          shards.putLast(turn.getKey(), names);
        }
        return name;
      }
    }
    return null;
  }

  boolean isEmpty() {
    for (LinkedHashMap<Integer, LinkedHashMap<String, Long>> shards : queues) {
      if (!shards.isEmpty()) {
        return false;
      }
    }
    return true;
  }

  int size() {
    return all().mapToInt(Map::size).sum();
  }

  /** Since when the one that has waited longest waits. */
  OptionalLong oldest() {
    return all().mapToLong(names -> names.firstEntry().getValue()).min();
  }

  private Stream<LinkedHashMap<String, Long>> all() {
    return queues.stream().flatMap(shards -> shards.values().stream());
  }
}
