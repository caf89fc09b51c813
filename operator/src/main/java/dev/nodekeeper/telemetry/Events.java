package dev.nodekeeper.telemetry;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.api.UnreachableException;
import dev.nodekeeper.core.keep.Effect.Report;
import dev.nodekeeper.core.keep.Reason;
import dev.nodekeeper.pace.Stop;
import dev.nodekeeper.pace.TokenBucket;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kubernetes events on nodes: of the same kind one in ten minutes, which says how many there were;
 * not many at once, few of what went well, never worth a failure.
 */
public final class Events implements Consumer<Report>, Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Events.class);

  /** Where events of objects without a namespace live. */
  private static final String PATH = "/api/v1/namespaces/default/events";

  private static final long REPEAT_NANOS = Duration.ofMinutes(10).toNanos();
  private static final int REMEMBERED = 10_000;
  private static final int QUEUED = 1000;
  private static final int GOOD_PER_SECOND = 1;
  private static final int GOOD_BURST = 10;
  private static final int MESSAGE_MAX = 1000;
  private static final int NAME_MAX = 230;

  private final Api api;
  private final Metrics metrics;
  private final TokenBucket bucket;

  /** A fleet that returns must not cost a third request for each node: good news does not wait. */
  private final TokenBucket good;

  private final LongSupplier nanos;
  private final Stop stop;
  private final BlockingQueue<Told> queue = new ArrayBlockingQueue<>(QUEUED);

  /** What was told last of each kind, oldest first. */
  private final Map<Topic, Last> told =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Topic, Last> eldest) {
          return size() > REMEMBERED;
        }
      };

  private record Topic(String node, Reason reason) {}

  /**
   * @param unsaid how often it happened since
   */
  private record Last(long nanos, int unsaid) {}

  private record Told(Report report, int count) {}

  public Events(Api api, Metrics metrics, TokenBucket bucket, LongSupplier nanos, Stop stop) {
    this.api = api;
    this.metrics = metrics;
    this.bucket = bucket;
    this.good = new TokenBucket(GOOD_PER_SECOND, GOOD_BURST, nanos);
    this.nanos = nanos;
    this.stop = stop;
  }

  /** Never waits; what does not fit is only in the log. */
  @Override
  public void accept(Report report) {
    Topic topic = new Topic(report.node(), report.reason());
    int count = count(topic);
    if (count == 0) {
      metrics.event("repeated");
    } else if (crowded(report) || !queue.offer(new Told(report, count))) {
      unsaid(topic);
      metrics.event("dropped");
    }
  }

  private boolean crowded(Report report) {
    return report.reason().level() != Reason.Level.WARNING && !good.take();
  }

  private synchronized void unsaid(Topic topic) {
    told.remove(topic);
  }

  /** For how many this one speaks; 0 when it is too early for the next. */
  private synchronized int count(Topic topic) {
    long now = nanos.getAsLong();
    Last last = told.get(topic);
    if (last != null && now - last.nanos() < REPEAT_NANOS) {
      told.put(topic, new Last(last.nanos(), last.unsaid() + 1));
      return 0;
    }
    told.remove(topic);
    told.put(topic, new Last(now, 0));
    return last == null ? 1 : last.unsaid() + 1;
  }

  @Override
  public void run() {
    try {
      while (!stop.signalled()) {
        Told next = queue.poll(1, TimeUnit.SECONDS);
        if (next != null && !stop.await(bucket.reserve())) {
          post(next.report(), next.count());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void post(Report report, int count) {
    try {
      Reply reply = api.send(Call.post(PATH, body(report, count)));
      metrics.event(reply.ok() ? "posted" : "failed");
      if (!reply.ok()) {
        LOG.debug("No event for node {}: {}", report.node(), reply.failure().text());
      }
    } catch (UnreachableException | RuntimeException e) {
      metrics.event("failed");
      LOG.debug("No event for node {}: {}", report.node(), e.getMessage());
    }
  }

  private static String body(Report report, int count) {
    String node = report.node();
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    String suffix = "." + Long.toHexString(ThreadLocalRandom.current().nextLong());
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("apiVersion", "v1").put("kind", "Event");
    json.putObject("metadata")
        .put("name", (node.length() <= NAME_MAX ? node : "nodekeeper") + suffix)
        .put("namespace", "default");
    // The name in place of the uid, as kubelets do: kubectl describe node looks for it.
    json.putObject("involvedObject")
        .put("apiVersion", "v1")
        .put("kind", "Node")
        .put("name", node)
        .put("uid", node);
    String message = report.message();
    json.put("type", report.reason().level() == Reason.Level.WARNING ? "Warning" : "Normal")
        .put("reason", report.reason().word())
        .put("message", message.substring(0, Math.min(MESSAGE_MAX, message.length())))
        .put("firstTimestamp", now)
        .put("lastTimestamp", now)
        .put("count", count);
    json.putObject("source").put("component", "nodekeeper");
    return json.toString();
  }
}
