package dev.nodekeeper.console;

import dev.nodekeeper.core.keep.Effect.Report;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.Reason;
import dev.nodekeeper.core.model.NodeState;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** What this process has seen and done lately, as far as it fits: a restart begins it anew. */
public final class Chronicle {
  private static final int ENTRIES = 2048;
  private static final int TEXT_MAX = 300;

  private final InstantSource clock;
  private final Deque<Entry> entries = new ArrayDeque<>(ENTRIES);
  private final AtomicLong restored = new AtomicLong();
  private final AtomicLong captured = new AtomicLong();

  /**
   * One thing that happened.
   *
   * @param node empty where it is about the cluster
   * @param word what kind of thing
   */
  public record Entry(long millis, String node, String word, String text) {}

  public Chronicle(InstantSource clock) {
    this.clock = clock;
  }

  /** What a watch shows: the beginning and the end of a life. */
  public void saw(Input input) {
    switch (input) {
      case Input.NodeAdded(NodeState node) -> add(node.name(), "Registered", life(node));
      case Input.NodeDeleted(NodeState node) -> add(node.name(), "Deleted", life(node));
      default -> {}
    }
  }

  private static String life(NodeState node) {
    return "life " + Lives.shortened(node.uid());
  }

  public void told(Report report) {
    if (report.reason() == Reason.RESTORED) {
      restored.incrementAndGet();
    } else if (report.reason() == Reason.CAPTURED) {
      captured.incrementAndGet();
    }
    if (report.reason().level() != Reason.Level.DETAIL) {
      add(report.node(), report.reason().word(), report.message());
    }
  }

  private synchronized void add(String node, String word, String text) {
    if (entries.size() == ENTRIES) {
      entries.removeFirst();
    }
    entries.addLast(
        new Entry(
            clock.millis(), node, word, text.substring(0, Math.min(TEXT_MAX, text.length()))));
  }

  /** Newest first. */
  List<Entry> of(String node) {
    return newest(entry -> entry.node().equals(node), ENTRIES);
  }

  List<Entry> latest(int count) {
    return newest(_ -> true, count);
  }

  private synchronized List<Entry> newest(Predicate<Entry> wanted, int count) {
    List<Entry> found = new ArrayList<>();
    var backwards = entries.descendingIterator();
    while (backwards.hasNext() && found.size() < count) {
      Entry entry = backwards.next();
      if (wanted.test(entry)) {
        found.add(entry);
      }
    }
    return found;
  }

  long restored() {
    return restored.get();
  }

  long captured() {
    return captured.get();
  }
}
