package dev.nodekeeper.cli.look;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Lines;
import dev.nodekeeper.look.Cluster;
import dev.nodekeeper.look.Selector;
import dev.nodekeeper.look.Snapshot;
import dev.nodekeeper.look.Standing;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Standings as they change, by two watches, until this thread is interrupted. */
public final class Following {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final int QUEUED = 10_000;

  private final Api api;
  private final Cluster cluster;
  private final Selector selector;
  private final Map<String, Standing> told = new HashMap<>();

  public Following(Api api, Cluster cluster, Selector selector) {
    this.api = api;
    this.cluster = cluster;
    this.selector = selector;
  }

  /** One line of a watch; the end of a watch has none. */
  private record News(String path, Optional<JsonNode> event) {}

  /** First all, then each that changes. A watch that ends is no end: all is compared again. */
  public void run(Consumer<Standing> changed) throws IOException {
    while (true) {
      Snapshot snapshot = cluster.snapshot(selector);
      snapshot.standings().forEach(standing -> tell(standing, changed));
      if (follow(snapshot, changed)) {
        return;
      }
    }
  }

  /** True when we are to end. */
  private boolean follow(Snapshot snapshot, Consumer<Standing> changed) throws IOException {
    BlockingQueue<News> queue = new LinkedBlockingQueue<>(QUEUED);
    String nodes = Cluster.NODES;
    String records = cluster.recordsPath();
    String query = "?watch=true&allowWatchBookmarks=true&resourceVersion=";
    try (Lines nodeLines = api.watch(nodes + query + snapshot.nodesRv() + selector.query());
        Lines recordLines = api.watch(records + query + snapshot.recordsRv())) {
      Thread.ofVirtual().start(() -> read(nodes, nodeLines, queue));
      Thread.ofVirtual().start(() -> read(records, recordLines, queue));
      while (true) {
        News news = queue.poll(1, TimeUnit.DAYS);
        if (news == null || news.event().isEmpty()) {
          return false;
        }
        Optional<String> name = apply(news.path().equals(nodes), news.event().get(), snapshot);
        name.ifPresent(
            known ->
                snapshot
                    .standing(known)
                    .ifPresentOrElse(
                        standing -> tell(standing, changed), () -> told.remove(known)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private static void read(String path, Lines lines, BlockingQueue<News> queue) {
    try {
      for (byte[] line = lines.next(); line != null; line = lines.next()) {
        queue.put(new News(path, Optional.of(MAPPER.readTree(line))));
      }
    } catch (IOException e) {
      // Ended, as far as the reader is concerned.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    boolean _ = queue.offer(new News(path, Optional.empty()));
  }

  /** The name that it is about; none for a bookmark. An error of the server ends the watch. */
  private Optional<String> apply(boolean node, JsonNode event, Snapshot snapshot)
      throws IOException {
    String type = event.path("type").asText();
    JsonNode object = event.path("object");
    String name = object.path("metadata").path("name").asText();
    if (!List.of("ADDED", "MODIFIED", "DELETED").contains(type)) {
      return Optional.empty();
    }
    boolean gone = type.equals("DELETED");
    if (node && gone) {
      snapshot.removeNode(name);
    } else if (node) {
      snapshot.put(cluster.readNode(object));
    } else if (gone) {
      snapshot.removeRecord(name);
    } else {
      snapshot.put(cluster.readRecord(object));
    }
    return Optional.of(name);
  }

  /** Only what is new to who looks: a heartbeat is not. */
  private void tell(Standing standing, Consumer<Standing> changed) {
    if (!standing.equals(told.put(standing.node(), standing))) {
      changed.accept(standing);
    }
  }
}
