package dev.nodekeeper.it.share;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.core.keep.Shares;
import dev.nodekeeper.it.Parallel;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Follow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * A node in each shard, edited when its owner goes: how long until somebody has recorded the edit.
 */
final class Probes implements AutoCloseable {
  private static final String KEY = "probe";

  private final World world;
  private final List<String> nodes;
  private final Map<String, Question> open = new ConcurrentHashMap<>();
  private final Map<String, List<Long>> answers = new ConcurrentHashMap<>();
  private final AtomicInteger again = new AtomicInteger();
  private final Follow watch;
  private int number;

  private record Question(String event, String value, long since) {}

  Probes(World world, int shards) {
    this.world = world;
    this.nodes = nodes(shards);
    nodes.forEach(world::register);
    watch =
        new Follow(
            world.admin,
            "/api/v1/namespaces/" + world.namespace + "/configmaps",
            event -> see(event.path("object")));
  }

  private static List<String> nodes(int shards) {
    Map<Integer, String> names = new HashMap<>();
    for (int i = 0; names.size() < shards; i++) {
      names.putIfAbsent(Shares.shard("probe-" + i, shards), "probe-" + i);
    }
    return IntStream.range(0, shards).mapToObj(names::get).toList();
  }

  /**
   * An edit in each of these shards.
   *
   * @param event what has just happened to their owner
   * @param since when
   */
  void ask(Collection<Integer> shards, String event, long since) {
    String value = "v" + ++number;
    Parallel.each(
        shards,
        shard -> {
          String node = nodes.get(shard);
          // Still open: who had taken it is dead as well, and this is another hand-over.
          if (open.put(node, new Question(event, value, since)) != null) {
            again.incrementAndGet();
          }
          world.label(node, KEY, value);
        });
  }

  private void see(JsonNode map) {
    String name = map.path("metadata").path("name").asText();
    Question question = open.get(name);
    String record = map.path("data").path("record.json").asText();
    if (question != null && record.matches("(?s).*\"probe\" *: *\"" + question.value() + "\".*")) {
      long took = System.nanoTime() - question.since();
      answers
          .computeIfAbsent(
              question.event(), _ -> java.util.Collections.synchronizedList(new ArrayList<>()))
          .add(took);
      open.remove(name, question);
    }
  }

  /** How often the next owner died before it came to it. */
  int again() {
    return again.get();
  }

  boolean answered() {
    return open.isEmpty();
  }

  /** In nanoseconds, sorted. */
  List<Long> after(String event) {
    return List.copyOf(answers.getOrDefault(event, List.of())).stream().sorted().toList();
  }

  @Override
  public void close() {
    watch.close();
  }
}
