package dev.nodekeeper.bench.measure;

import dev.nodekeeper.api.Api;
import dev.nodekeeper.bench.load.Fleet;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/** Sees nodes register and be restored, and plain patches arrive, on a watch of the bench's own. */
public final class Returns implements AutoCloseable {
  private static final String NODES = "/api/v1/nodes";

  private final Fleet fleet;
  private final AtomicLongArray replied;
  private final AtomicLongArray added;
  private final AtomicLongArray restored;
  private final AtomicInteger restoredCount = new AtomicInteger();
  private final Map<String, Long> plain = new ConcurrentHashMap<>();
  private final WatchReader watch;

  public Returns(Api api, Fleet fleet) {
    this.fleet = fleet;
    this.replied = new AtomicLongArray(fleet.size());
    this.added = new AtomicLongArray(fleet.size());
    this.restored = new AtomicLongArray(fleet.size());
    this.watch = WatchReader.nodes(api, NODES, this::event);
  }

  private String event(byte[] line) throws IOException {
    long now = System.nanoTime();
    Event event = Event.ofNode(line);
    int index = fleet.index(event.name());
    if (index >= 0) {
      event(event, index, now);
    }
    return event.revision();
  }

  private void event(Event event, int index, long now) {
    switch (event.type()) {
      case "ADDED" -> added.set(index, now);
      case "MODIFIED" -> {
        // Only in its new life: the end of the old one may be seen late.
        if (added.get(index) != 0 && event.restored() && restored.get(index) == 0) {
          restored.set(index, now);
          restoredCount.incrementAndGet();
        }
      }
      default -> {}
    }
    if (!event.plain().isEmpty()) {
      plain.putIfAbsent(event.plain(), now);
    }
  }

  /** The server has answered the registration. */
  public void replied(int index) {
    replied.set(index, System.nanoTime());
  }

  public int restored() {
    watch.demandOpen();
    return restoredCount.get();
  }

  /** From registration, as the reply or the watch told it first, to restore. */
  public Samples times() {
    var samples = new Samples();
    for (int i = 0; i < fleet.size(); i++) {
      if (restored.get(i) != 0) {
        samples.add(Math.min(replied.get(i), added.get(i)), restored.get(i));
      }
    }
    return samples;
  }

  /** From the reply until this watch shows the registration: how late the bench itself sees it. */
  public Samples lateness() {
    var samples = new Samples();
    for (int i = 0; i < fleet.size(); i++) {
      if (added.get(i) != 0 && replied.get(i) != 0) {
        samples.add(replied.get(i), added.get(i));
      }
    }
    return samples;
  }

  /** When the plain patch with that text was seen; 0 while it was not. */
  public long seen(String text) {
    watch.demandOpen();
    return plain.getOrDefault(text, 0L);
  }

  @Override
  public void close() {
    watch.close();
  }
}
