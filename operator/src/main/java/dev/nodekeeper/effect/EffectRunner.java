package dev.nodekeeper.effect;

import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.api.UnreachableException;
import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.Outcome;
import dev.nodekeeper.pace.Stop;
import dev.nodekeeper.pace.TokenBucket;
import dev.nodekeeper.pace.Window;
import dev.nodekeeper.read.NodeReader;
import dev.nodekeeper.store.NamespaceGuard;
import dev.nodekeeper.telemetry.Metrics;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Performs requests on virtual threads: so many at once, so many per second, each answered once.
 */
public final class EffectRunner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EffectRunner.class);
  private static final Duration FINISH = Duration.ofSeconds(5);

  private final Api api;
  private final Calls calls;
  private final Answers answers;
  private final Consumer<Input> sink;
  private final NamespaceGuard guard;
  private final Window window;
  private final Predicate<String> ours;
  private final LongSupplier nanos;
  private final TokenBucket bucket;
  private final Metrics metrics;
  private final Stop stop;
  private final Set<String> unsent = ConcurrentHashMap.newKeySet();
  private final Set<String> underWay = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("effect-", 0).factory());

  /**
   * @param window requests in flight at once
   * @param ours which nodes we may still write to: asked last of all, as a lease may end meanwhile
   */
  public EffectRunner(
      Api api,
      String namespace,
      NodeReader nodes,
      Consumer<Input> sink,
      NamespaceGuard guard,
      Window window,
      TokenBucket bucket,
      Predicate<String> ours,
      LongSupplier nanos,
      Metrics metrics,
      Stop stop) {
    this.api = api;
    this.calls = new Calls(namespace);
    this.answers = new Answers(nodes);
    this.sink = sink;
    this.guard = guard;
    this.window = window;
    this.ours = ours;
    this.nanos = nanos;
    this.bucket = bucket;
    this.metrics = metrics;
    this.stop = stop;
  }

  /** Returns at once; the answer comes as an input. */
  public void perform(Effect.Request request) {
    if (!stop.signalled()) {
      long asked = nanos.getAsLong();
      unsent.add(request.node());
      threads.execute(() -> sink.accept(answer(request, asked)));
    }
  }

  /** In time or too late: of a node one request at most is there, so that its name is enough. */
  public void recall(Effect.Recall recall) {
    unsent.remove(recall.request().node());
  }

  /**
   * Never throws: whatever goes wrong is an outcome too, or the node's name would wait for ever.
   */
  private Input answer(Effect.Request request, long asked) {
    Input answer;
    try {
      answer = send(request, asked);
    } catch (UnreachableException e) {
      answer = new Input.Done(request, new Outcome.Unknown(e.getMessage(), 0));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      answer = new Input.Done(request, new Outcome.Unknown("interrupted", 0));
    } catch (Throwable e) {
      LOG.error("A request for node {} failed in an unforeseen way", request.node(), e);
      answer = new Input.Done(request, new Outcome.Unknown(e.toString(), 0));
    }
    metrics.requested(request, answer, nanos.getAsLong() - asked);
    return answer;
  }

  private Input send(Effect.Request request, long asked)
      throws UnreachableException, InterruptedException {
    window.enter();
    try {
      if (stop.await(bucket.reserve())) {
        return new Input.Done(request, new Outcome.Unknown("stopping", 0));
      }
      Reply reply = sendOurs(request, asked);
      if (reply == null) {
        return new Input.Done(request, new Outcome.NotSent());
      }
      metrics.responded(request, reply.status());
      if (reply.status() == 429) {
        window.refused();
        bucket.pause(reply.retryAfter());
      } else {
        window.taken();
      }
      tell(request, reply);
      return answers.of(request, reply);
    } finally {
      window.leave();
    }
  }

  /** Null where it was recalled, the node is no longer ours, or what we knew of it is old. */
  private @Nullable Reply sendOurs(Effect.Request request, long asked) throws UnreachableException {
    underWay.add(request.node());
    try {
      boolean fresh = nanos.getAsLong() - asked <= Effect.Request.FRESH.toNanos();
      boolean may = !request.ownersOnly() || ours.test(request.node());
      return unsent.remove(request.node()) && fresh && may ? api.send(calls.of(request)) : null;
    } finally {
      underWay.remove(request.node());
    }
  }

  /** Nodes for which a request is under way; of each at most one is. */
  public Set<String> underWay() {
    return Collections.unmodifiableSet(underWay);
  }

  private void tell(Effect.Request request, Reply reply) {
    if (Answers.namespaceMissing(request, reply)) {
      guard.missing();
    } else if (request instanceof Effect.CreateRecord && reply.ok()) {
      guard.present();
    }
  }

  /** Lets requests in flight finish, for a while: their answers would be lost, not their effect. */
  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(FINISH.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn(
            "Some requests did not finish within {} s; they are safe to repeat",
            FINISH.toSeconds());
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
