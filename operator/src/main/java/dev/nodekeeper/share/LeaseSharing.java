package dev.nodekeeper.share;

import dev.nodekeeper.api.Api;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holdings by Leases: one thread that decides, a few that ask. All are platform threads, and the
 * client should be one of its own, so that no amount of other work keeps a lease from its renewal.
 */
public final class LeaseSharing implements Sharing, Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseSharing.class);

  /** 64 leases at 50 ms each then take 0.4 s. */
  private static final int THREADS = 8;

  private static final Duration TURN = Duration.ofMillis(50);
  private static final Duration DRAINING_TURN = Duration.ofMillis(10);
  private static final Duration CALM = Duration.ofMillis(500);
  private static final Duration STUCK = Duration.ofSeconds(60);

  private final Api api;
  private final Layout layout;
  private final String self;
  private final Terms terms;
  private final Hooks hooks;
  private final Shareholder holder;
  private final LeaseCalls calls;
  private final FailureRow failures = new FailureRow(LOG);
  private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
  private final ExecutorService threads;
  private final Thread thread;
  private volatile Holdings current;
  private volatile int members = 1;
  private volatile long turned = System.nanoTime();
  private volatile String death = "";
  private volatile boolean closing;
  private BitSet told = new BitSet();
  private long changed;
  private volatile boolean alone;
  private boolean stopping;
  private long leaveBy;

  /**
   * Owns nothing at first.
   *
   * @param api a client of its own, which ends with it
   * @param self see {@link ReplicaName}
   * @param clock for people only; must run steadily even where the host's time is set back
   */
  public LeaseSharing(
      Api api, Layout layout, String self, Terms terms, Hooks hooks, InstantSource clock) {
    this.api = api;
    this.layout = layout;
    this.self = self;
    this.terms = terms;
    this.hooks = hooks;
    this.holder =
        new Shareholder(
            layout,
            self,
            terms,
            hooks.warm(),
            hooks.dealtWith(),
            hooks.drained(),
            new SplittableRandom(),
            System.nanoTime());
    this.calls =
        new LeaseCalls(
            api, layout, new LeaseDocument(layout, self, terms), clock, System::nanoTime);
    this.current = Holdings.nothing(layout.shards());
    this.threads =
        Executors.newFixedThreadPool(
            THREADS, Thread.ofPlatform().name("lease-", 0).daemon().factory());
    this.thread = Thread.ofPlatform().name("leases").daemon().unstarted(this);
  }

  @Override
  public void start() {
    LOG.info(
        "Sharing the work by leases {} in namespace {} (shards: {}), as {}",
        layout.prefix(),
        layout.namespace(),
        layout.shards(),
        self);
    thread.start();
  }

  // ---- the thread

  @Override
  public void run() {
    try {
      while (!(stopping && (holder.left() || leaveBy - System.nanoTime() <= 0))) {
        turn();
      }
    } catch (InterruptedException e) {
      death = "interrupted";
    } catch (Throwable e) {
      death = e.toString();
      LOG.error("The thread of the leases died; /livez says so, restart me", e);
    }
  }

  private void turn() throws InterruptedException {
    Duration wait = holder.draining() ? DRAINING_TURN : TURN;
    List<Answer> heard = new ArrayList<>();
    Answer first =
        closing != stopping ? null : answers.poll(wait.toMillis(), TimeUnit.MILLISECONDS);
    if (first != null) {
      heard.add(first);
      answers.drainTo(heard);
    }
    long now = System.nanoTime();
    turned = now;
    heard.forEach(answer -> hear(answer, now));
    if (closing && !stopping) {
      stopping = true;
      leaveBy = now + Terms.LEAVE.toNanos();
      holder.stop(now);
      publish(now);
    }
    List<Task> tasks = holder.turn(now);
    // First we stop to own, then others hear of it.
    publish(now);
    tasks.forEach(this::begin);
    failures.look(now);
    tellOwned(now);
  }

  private void hear(Answer answer, long now) {
    holder.heard(answer, now);
    if (!answer.complaint().isEmpty()) {
      hooks.failed().run();
      failures.failed(answer.complaint(), now);
    }
    if (answer instanceof Answer.Homeless) {
      hooks.namespaceMissing().run();
    }
  }

  private void begin(Task task) {
    Duration timeout = timeout();
    try {
      threads.execute(() -> answers.add(calls.perform(task, timeout)));
    } catch (RejectedExecutionException e) {
      answers.add(new Answer.Failed(task, "stopping", Duration.ZERO));
    }
  }

  private Duration timeout() {
    long usual = terms.timeout().toNanos();
    long left = stopping ? Math.max(1, leaveBy - System.nanoTime()) : usual;
    return Duration.ofNanos(Math.min(usual, left));
  }

  private void publish(long now) {
    Optional<String> reason = holder.alone(now);
    tellAlone(reason);
    Holdings before = current;
    Holdings after =
        reason.isPresent()
            ? Holdings.everything(layout.shards())
            : Holdings.of(holder.shards(), layout.shards(), System::nanoTime);
    current = after;
    members = holder.members(now);
    if (!after.sameOwnership(before)) {
      changed = now;
      hooks.changed().run();
    }
  }

  /** Shards come one by one: people hear of it when there are no more to come. */
  private void tellOwned(long now) {
    BitSet owned = current.owned();
    if (!owned.equals(told) && now - changed > CALM.toNanos()) {
      told = owned;
      LOG.info("Owns {} of {} shards: {}", owned.cardinality(), layout.shards(), owned);
    }
  }

  private void tellAlone(Optional<String> reason) {
    if (reason.isPresent() && !alone) {
      LOG.warn(
          "Cannot share the work with other replicas, so this one does all of it: {}. To share, the"
              + " user of this process needs the verbs get, list, create, update and delete on"
              + " leases.coordination.k8s.io in namespace {}; run: kubectl -n {} create role"
              + " nodekeeper-leases --verb=get,list,create,update,delete"
              + " --resource=leases.coordination.k8s.io, and bind it",
          reason.get(),
          layout.namespace(),
          layout.namespace());
    } else if (reason.isEmpty() && alone) {
      LOG.info("Sharing the work with other replicas again");
    }
    alone = reason.isPresent();
  }

  // ---- for everybody

  @Override
  public Holdings current() {
    return current;
  }

  @Override
  public int members() {
    return members;
  }

  @Override
  public boolean alone() {
    return alone;
  }

  @Override
  public Optional<String> problem() {
    if (!death.isEmpty()) {
      return Optional.of("the thread of the leases has died: " + death);
    }
    Duration since = Duration.ofNanos(System.nanoTime() - turned);
    return since.compareTo(STUCK) > 0 && !closing
        ? Optional.of("the leases have not come round for " + since.toSeconds() + " s")
        : Optional.empty();
  }

  /** Can be called twice. */
  @Override
  public void close() {
    closing = true;
    try {
      // A little more than the thread allows itself, should it be in the middle of something.
      thread.join(Terms.LEAVE.plus(TURN));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    threads.shutdownNow();
    api.close();
  }
}
