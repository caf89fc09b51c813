package dev.nodekeeper.watch;

import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Failure;
import dev.nodekeeper.api.Lines;
import dev.nodekeeper.api.RefusedException;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.pace.Backoff;
import dev.nodekeeper.pace.Stop;
import dev.nodekeeper.telemetry.Metrics;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists once, then watches for ever, and tells the Keeper.
 *
 * <p>A cut watch resumes where it was; only a revision that the server no longer has (410) leads to
 * a new list, because a list cannot say in which order things happened.
 */
public final class Reflector<T> implements Runnable, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);
  private static final long UNLISTED = -1;
  private static final long SHORT_NANOS = Duration.ofSeconds(1).toNanos();

  /**
   * So long a watch is left alone while nothing but heartbeats comes, so that those are read
   * together: waking up is most of what one costs. Not longer: the server drops who does not read
   * for some hundred events.
   */
  private static final Duration GATHER = Duration.ofMillis(20);

  private final Api api;
  private final Feed<T> feed;
  private final Consumer<Input> sink;
  private final WatchHealth health;
  private final Metrics metrics;
  private final Backoff backoff;
  private final BooleanSupplier calm;
  private final ListOrder.Place place;
  private final Stop stop;
  private volatile @Nullable Lines open;

  /** Everything up to here has been told. */
  private long rv = UNLISTED;

  private boolean incomplete;
  private boolean troubled;

  /**
   * @param calm there has been nothing to do of late: nobody minds a few milliseconds
   * @param place beside the list of the other resource
   */
  public Reflector(
      Api api,
      Feed<T> feed,
      Consumer<Input> sink,
      WatchHealth health,
      Metrics metrics,
      Backoff backoff,
      BooleanSupplier calm,
      ListOrder.Place place,
      Stop stop) {
    this.api = api;
    this.feed = feed;
    this.sink = sink;
    this.health = health;
    this.metrics = metrics;
    this.backoff = backoff;
    this.calm = calm;
    this.place = place;
    this.stop = stop;
  }

  @Override
  public void run() {
    while (!stop.signalled()) {
      try {
        if (rv != UNLISTED && troubled) {
          checkHistory();
        }
        if (rv == UNLISTED) {
          list();
        } else {
          watch();
        }
      } catch (RefusedException e) {
        if (expired(e.failure())) {
          relist(e.getMessage());
          health.broken("listing again");
          stop.await(backoff.next());
        } else {
          failed(e, e.retryAfter());
        }
      } catch (IOException | RuntimeException e) {
        failed(e, Duration.ZERO);
      }
    }
  }

  /** Told as one input, when the last page is in: half a list says nothing. */
  private void list() throws IOException {
    int turn = place.turn(stop);
    if (stop.signalled()) {
      return;
    }
    feed.listStarts().forEach(sink);
    try (var listing = Listing.start(api, feed)) {
      boolean more = listing.readPage();
      place.begun();
      while (more && !stop.signalled()) {
        health.heard();
        more = listing.readPage();
      }
      health.heard();
      boolean current = place.mayTell(turn, stop);
      if (stop.signalled()) {
        return;
      }
      if (!current) {
        LOG.info("Listing the {} again: the other list had to begin anew", feed.resource());
        return;
      }
      sink.accept(feed.listed(listing.items(), listing.rv()));
      place.told();
      rv = listing.rv();
      LOG.info("Listed {} {} at revision {}", listing.items().size(), feed.resource(), rv);
    }
    incomplete = false;
    health.listed();
  }

  /**
   * NB: a server whose etcd was restored takes a revision that it does not have yet, and then says
   * nothing, not even bookmarks (seen on 1.36.3). So after trouble we ask where it stands.
   */
  private void checkHistory() throws IOException {
    long now = Listing.revision(api, feed);
    if (now < rv) {
      relist("the revision went back from " + rv + " to " + now);
    }
  }

  private void watch() throws IOException {
    long began = System.nanoTime();
    boolean heard = false;
    int seconds = ThreadLocalRandom.current().nextInt(240, 481);
    String path =
        "%s?watch=true&allowWatchBookmarks=true&resourceVersion=%d&timeoutSeconds=%d"
            .formatted(feed.path(), rv, seconds);
    try (Lines lines = api.watch(path, feed.accept())) {
      open = lines;
      health.connected();
      recovered();
      for (byte[] line = lines.next(); line != null && !stop.signalled(); line = lines.next()) {
        heard = true;
        backoff.reset();
        health.heard();
        tell(line);
        if (rv == UNLISTED) {
          return;
        }
        if (lines.waited() && calm.getAsBoolean()) {
          stop.await(GATHER);
        }
      }
    } finally {
      open = null;
    }
    if (incomplete) {
      relist("an object could not be read");
    } else if (!heard && System.nanoTime() - began < SHORT_NANOS) {
      throw new IOException("The watch of " + feed.resource() + " ended at once");
    }
  }

  private void tell(byte[] line) throws RefusedException {
    WatchEvent<T> event;
    try {
      event = WatchEvent.read(line, feed);
    } catch (IOException | RuntimeException e) {
      incomplete = true;
      metrics.unreadable(feed.resource());
      LOG.warn("Skipped one of the {}, will list again: {}", feed.resource(), e.getMessage());
      return;
    }
    switch (event) {
      case WatchEvent.Changed<T>(var change, var item) -> {
        metrics.watched(feed.resource(), change.name());
        if (item.isPresent() && advance(feed.rv(item.get()))) {
          sink.accept(feed.event(change, item.get()));
        }
      }
      case WatchEvent.Bookmark<T>(long revision) -> {
        metrics.watched(feed.resource(), "BOOKMARK");
        if (incomplete) {
          relist("an object could not be read");
        } else if (advance(revision)) {
          sink.accept(feed.progress(revision));
        }
      }
      case WatchEvent.Failed<T>(var failure) ->
          throw new RefusedException("The watch of " + feed.resource(), failure, Duration.ZERO);
    }
  }

  /** A watch only goes forward; where it does not, the history is another one (a restored etcd). */
  private boolean advance(long revision) {
    if (revision < rv) {
      relist("the revision went back from " + rv + " to " + revision);
      return false;
    }
    rv = revision;
    return true;
  }

  private static boolean expired(Failure failure) {
    return failure.code() == 410
        || failure.code() == 400
        || failure.message().contains("Too large resource version");
  }

  private void relist(@Nullable String why) {
    rv = UNLISTED;
    metrics.relisted(feed.resource());
    LOG.info("Listing the {} again: {}", feed.resource(), why);
  }

  /** The first failure of a row is told aloud; the others would only repeat it. */
  private void failed(Exception e, Duration atLeast) {
    if (stop.signalled()) {
      return;
    }
    String problem = String.valueOf(e.getMessage());
    health.broken(problem);
    Duration wait = backoff.next();
    Duration longer = atLeast.compareTo(wait) > 0 ? atLeast : wait;
    if (e instanceof RuntimeException) {
      LOG.error("Watching {} failed, trying again", feed.resource(), e);
    } else if (troubled) {
      LOG.debug("Still: {}", problem);
    } else {
      LOG.warn("{}; trying the {} again until it works", problem, feed.resource());
    }
    troubled = true;
    stop.await(longer);
  }

  private void recovered() {
    if (troubled) {
      troubled = false;
      LOG.info("Watching {} again from revision {}", feed.resource(), rv);
    }
  }

  /** Ends a read that waits. */
  @Override
  public void close() {
    Lines lines = open;
    if (lines != null) {
      lines.close();
    }
  }
}
