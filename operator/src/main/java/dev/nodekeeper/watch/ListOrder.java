package dev.nodekeeper.watch;

import dev.nodekeeper.pace.Stop;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * At a start two lists are read at the same time, since a server needs longer for each than we do;
 * and yet the one shows a newer state than the other, and is told after it. Once both were told,
 * either is listed again when it must be.
 */
public final class ListOrder {
  private static final Duration LOOK = Duration.ofMillis(10);

  /** Lists of the first that have shown their revision. */
  private final AtomicInteger begun = new AtomicInteger();

  /** The number of that which was told; 0 until then. */
  private volatile int told;

  /** What one that lists has to say, and to ask. */
  public interface Place {
    /** Nobody comes before it, or after. */
    Place ALONE = new Place() {};

    /**
     * Waits until a list may be asked for, or until told to stop.
     *
     * @return for {@link #mayTell}
     */
    default int turn(Stop stop) {
      return 0;
    }

    /** The first page is in, which says what revision all of them show. */
    default void begun() {}

    /** Waits until a list may be told, or until told to stop; false when it is too old for that. */
    default boolean mayTell(int turn, Stop stop) {
      return true;
    }

    default void told() {}
  }

  /** The older list. */
  public Place first() {
    return new Place() {
      @Override
      public void begun() {
        begun.incrementAndGet();
      }

      @Override
      public void told() {
        told = begun.get();
      }
    };
  }

  /** The newer one: asked for when the first page of the older is in. */
  public Place second() {
    return new Place() {
      @Override
      public int turn(Stop stop) {
        await(() -> begun.get() > 0, stop);
        return told > 0 ? 0 : begun.get();
      }

      @Override
      public boolean mayTell(int turn, Stop stop) {
        await(() -> told > 0, stop);
        // NB: the first may have had to begin anew, and then shows what is newer than ours.
        return turn == 0 || turn == told;
      }
    };
  }

  private static void await(BooleanSupplier condition, Stop stop) {
    while (!condition.getAsBoolean() && !stop.await(LOOK)) {
      // Looks again.
    }
  }
}
