package dev.nodekeeper.loop;

import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.Keeper;
import dev.nodekeeper.core.keep.Moment;
import dev.nodekeeper.core.keep.Shares;
import dev.nodekeeper.pace.Stop;
import dev.nodekeeper.telemetry.Metrics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread that calls the Keeper: an input in, effects out, and a tick when one is due. */
public final class KeeperLoop implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(KeeperLoop.class);
  private static final long TURN_MILLIS = 1000;
  private static final Duration STUCK = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long CALM_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long COUNT_NANOS = Duration.ofSeconds(2).toNanos();

  /** Of a large fleet less often: it takes at most one part of so many of our time. */
  private static final long COUNT_SHARE = 500;

  private final Keeper keeper;
  private final Inbox inbox;
  private final Consumer<Effect> effects;
  private final Metrics metrics;
  private final InstantSource clock;
  private final LongSupplier serverMillis;
  private final Supplier<Shares> shares;
  private final Supplier<String> nonce;
  private final Stop stop;
  private final Queue<Runnable> questions = new ConcurrentLinkedQueue<>();
  private @Nullable Shares known;
  private volatile long turnNanos = System.nanoTime();
  private volatile String death = "";
  private volatile boolean quiet;
  private volatile long stirredNanos = System.nanoTime();
  private volatile long nodesSeen;
  private final AtomicLong effectCount = new AtomicLong();
  private long countedNanos;
  private long countEvery = COUNT_NANOS;

  public KeeperLoop(
      Keeper keeper,
      Inbox inbox,
      Consumer<Effect> effects,
      Metrics metrics,
      InstantSource clock,
      LongSupplier serverMillis,
      Supplier<Shares> shares,
      Supplier<String> nonce,
      Stop stop) {
    this.keeper = keeper;
    this.inbox = inbox;
    this.effects = effects;
    this.metrics = metrics;
    this.clock = clock;
    this.serverMillis = serverMillis;
    this.shares = shares;
    this.nonce = nonce;
    this.stop = stop;
  }

  @Override
  public void run() {
    try {
      while (!stop.signalled()) {
        turn();
      }
    } catch (InterruptedException e) {
      death = "interrupted";
    } catch (Throwable e) {
      death = e.toString();
      LOG.error("The Keeper's thread died; /livez says so, restart me", e);
    }
  }

  private void turn() throws InterruptedException {
    turnNanos = System.nanoTime();
    Inbox.Entry entry = inbox.poll(untilDue());
    share();
    for (Runnable asked = questions.poll(); asked != null; asked = questions.poll()) {
      asked.run();
    }
    if (entry != null) {
      metrics.lag(System.nanoTime() - entry.nanos());
      give(entry.input());
    }
    // Also under a flood of inputs, which would otherwise starve what is due.
    if (untilDue() <= 0) {
      give(new Input.Tick());
    }
    quiet = !keeper.busy(clock.millis());
    if (!quiet) {
      stirredNanos = turnNanos;
    }
    nodesSeen = keeper.nodesSeen();
    if (entry != null) {
      inbox.handled();
    }
    if (System.nanoTime() - countedNanos > countEvery) {
      count();
    }
  }

  private void count() {
    long began = System.nanoTime();
    metrics.counts(keeper.counts());
    countedNanos = System.nanoTime();
    countEvery = Math.max(COUNT_NANOS, COUNT_SHARE * (countedNanos - began));
  }

  /** Before anything else: what is no longer ours must not be acted on. */
  private void share() {
    Shares now = shares.get();
    if (!Objects.equals(now, known)) {
      known = now;
      give(new Input.Shared(now));
    }
  }

  private long untilDue() {
    OptionalLong due = keeper.nextDue();
    return due.isEmpty() ? TURN_MILLIS : Math.min(TURN_MILLIS, due.getAsLong() - clock.millis());
  }

  private void give(Input input) {
    try {
      List<Effect> wanted = keeper.on(input, moment());
      effectCount.addAndGet(wanted.size());
      wanted.forEach(effects);
    } catch (RuntimeException e) {
      metrics.keeperFailed();
      LOG.error("The Keeper failed on {}; everything else goes on", subject(input), e);
    }
  }

  /** Answered by the Keeper's thread between two inputs: nobody else may look at its memory. */
  public <T> CompletableFuture<T> ask(Function<Keeper, T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    questions.add(
        () -> {
          try {
            answer.complete(question.apply(keeper));
          } catch (RuntimeException e) {
            answer.completeExceptionally(e);
          }
        });
    inbox.nudge();
    return answer;
  }

  /** Waits for the answer, but not for ever: then the other one must do. */
  public <T> T ask(Function<Keeper, T> question, T otherwise) {
    return ask(question)
        .completeOnTimeout(otherwise, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(failed -> otherwise)
        .join();
  }

  private Moment moment() {
    return new Moment(clock.millis(), serverMillis.getAsLong(), nonce);
  }

  /** Names, not contents: values of labels do not belong into a log. */
  private static String subject(Input input) {
    String node =
        switch (input) {
          case Input.NodeAdded(var n) -> n.name();
          case Input.NodeModified(var n) -> n.name();
          case Input.NodeDeleted(var n) -> n.name();
          case Input.RecordSeen(var r) -> r.node();
          case Input.RecordDeleted(var n, var rv) -> n;
          case Input.Done(var request, var outcome) -> request.node();
          case Input.NodeRead(var request, var n) -> request.node();
          case Input.RecordRead(var request, var r) -> request.node();
          default -> "";
        };
    return input.getClass().getSimpleName() + (node.isEmpty() ? "" : " of node " + node);
  }

  /** Nothing came in that is not handled, nothing is under way or due soon. */
  public boolean idle() {
    return inbox.workedOff() && quiet;
  }

  /** There was nothing to do for a while, although heartbeats may have come. */
  public boolean calm() {
    return quiet && System.nanoTime() - stirredNanos > CALM_NANOS;
  }

  /** How much there ever was to do. */
  public long effectCount() {
    return effectCount.get();
  }

  /** Nothing is left to do of what happened to nodes up to that revision. */
  public boolean dealtWith(long rv) {
    return idle() && nodesSeen >= rv;
  }

  /** Why we should be restarted; empty when all is well. */
  public Optional<String> problem() {
    if (!death.isEmpty()) {
      return Optional.of("the Keeper's thread has died: " + death);
    }
    Duration since = Duration.ofNanos(System.nanoTime() - turnNanos);
    return since.compareTo(STUCK) > 0
        ? Optional.of("the Keeper has not come round for " + since.toSeconds() + " s")
        : Optional.empty();
  }
}
