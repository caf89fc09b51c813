package dev.nodekeeper.loop;

import dev.nodekeeper.core.keep.Input;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What has happened and was not looked at yet; full, it makes the watches wait. */
public final class Inbox {
  private static final int CAPACITY = 4096;

  private final BlockingQueue<Entry> queue = new ArrayBlockingQueue<>(CAPACITY);
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong handled = new AtomicLong();
  private final AtomicLong received = new AtomicLong();
  private volatile boolean closed;

  /** An input and when it came in. */
  record Entry(Input input, long nanos) {}

  /** Waits for room; after {@link #close} inputs are dropped, since nobody will look at them. */
  public void put(Input input) {
    Entry entry = new Entry(input, System.nanoTime());
    received.incrementAndGet();
    taken.incrementAndGet();
    try {
      while (!closed && !queue.offer(entry, 100, TimeUnit.MILLISECONDS)) {
        // Still full; look whether anybody will ever empty it.
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Wakes the Keeper; never waits. */
  public void nudge() {
    taken.incrementAndGet();
    if (closed || !queue.offer(new Entry(new Input.Tick(), System.nanoTime()))) {
      // Full: it is awake.
      taken.decrementAndGet();
    }
  }

  @Nullable Entry poll(long millis) throws InterruptedException {
    return millis <= 0 ? queue.poll() : queue.poll(millis, TimeUnit.MILLISECONDS);
  }

  /** The last polled entry has had all its effects. */
  void handled() {
    handled.incrementAndGet();
  }

  /** Whether everything that came in was also handled, not only polled. */
  boolean workedOff() {
    return taken.get() == handled.get();
  }

  /** How many were ever put in. */
  long received() {
    return received.get();
  }

  public int size() {
    return queue.size();
  }

  public void close() {
    closed = true;
    queue.clear();
  }
}
