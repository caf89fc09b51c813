package dev.nodekeeper.telemetry;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.api.UnreachableException;
import dev.nodekeeper.core.keep.Effect.Report;
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
 * Kubernetes events on nodes: not twice in ten minutes, not many at once, never worth a failure.
 */
public final class Events implements Consumer<Report>, Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Events.class);

  /** Where events of objects without a namespace live. */
  private static final String PATH = "/api/v1/namespaces/default/events";

  private static final long REPEAT_NANOS = Duration.ofMinutes(10).toNanos();
  private static final int REMEMBERED = 10_000;
  private static final int QUEUED = 1000;
  private static final int MESSAGE_MAX = 1000;
  private static final int NAME_MAX = 230;

  private final Api api;
  private final Metrics metrics;
  private final TokenBucket bucket;
  private final LongSupplier nanos;
  private final Stop stop;
  private final BlockingQueue<Report> queue = new ArrayBlockingQueue<>(QUEUED);

  /** When each was last told, oldest first. */
  private final Map<Report, Long> told =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Report, Long> eldest) {
          return size() > REMEMBERED;
        }
      };

  public Events(Api api, Metrics metrics, TokenBucket bucket, LongSupplier nanos, Stop stop) {
    this.api = api;
    this.metrics = metrics;
    this.bucket = bucket;
    this.nanos = nanos;
    this.stop = stop;
  }

  /** Never waits; what does not fit is only in the log. */
  @Override
  public void accept(Report report) {
    if (repeated(report)) {
      metrics.event("repeated");
    } else if (!queue.offer(report)) {
      metrics.event("dropped");
    }
  }

  private synchronized boolean repeated(Report report) {
    long now = nanos.getAsLong();
    Long last = told.get(report);
    if (last != null && now - last < REPEAT_NANOS) {
      return true;
    }
    told.remove(report);
    told.put(report, now);
    return false;
  }

  @Override
  public void run() {
    try {
      while (!stop.signalled()) {
        Report report = queue.poll(1, TimeUnit.SECONDS);
        if (report != null && !stop.await(bucket.reserve())) {
          post(report);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void post(Report report) {
    try {
      Reply reply = api.send(Call.post(PATH, body(report)));
      metrics.event(reply.ok() ? "posted" : "failed");
      if (!reply.ok()) {
        LOG.debug("No event for node {}: {}", report.node(), reply.failure().text());
      }
    } catch (UnreachableException | RuntimeException e) {
      metrics.event("failed");
      LOG.debug("No event for node {}: {}", report.node(), e.getMessage());
    }
  }

  private static String body(Report report) {
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
    json.put("type", "Warning")
        .put("reason", report.reason().word())
        .put("message", message.substring(0, Math.min(MESSAGE_MAX, message.length())))
        .put("firstTimestamp", now)
        .put("lastTimestamp", now)
        .put("count", 1);
    json.putObject("source").put("component", "nodekeeper");
    return json.toString();
  }
}
