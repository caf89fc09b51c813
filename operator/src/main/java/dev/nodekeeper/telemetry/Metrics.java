package dev.nodekeeper.telemetry;

import dev.nodekeeper.api.Build;
import dev.nodekeeper.core.keep.Counts;
import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Effect.Purpose;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.Outcome;
import dev.nodekeeper.core.keep.Reason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;

/** Counts what happens. Labels are words of ours only, never names of nodes or keys. */
public final class Metrics implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();
  private final Timer lag = timer(Metric.LAG, Tags.empty());
  private volatile Counts counts = Counts.NONE;

  public Metrics() {
    gc.bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    gauge(Metric.BUILD, Tags.of("version", Build.VERSION), () -> 1);
    counted(Metric.NODES, Counts::nodes);
    counted(Metric.RECORDS, Counts::records);
    counted(Metric.UNREADABLE_RECORDS, Counts::unreadable);
    counted(Metric.TOMBSTONES, Counts::tombstones);
    counted(Metric.IN_FLIGHT, Counts::inFlight);
    counted(Metric.WAITING, Counts::waiting);
    counted(Metric.WAITING_AGE, counts -> counts.waitingMillis() / 1e3);
    counted(Metric.ORPHANS, Counts::orphans);
    counted(Metric.RECORD_SIZE, Counts::size);
    counted(Metric.LARGEST_RECORD, Counts::largest);
    counted(Metric.WITHHELD, Counts::withheld);
    // What is often looked at exists from the start: a rate needs a zero to rise from.
    count(Metric.RESTORES, Tags.empty(), 0);
    count(Metric.CAPTURES, Tags.empty(), 0);
    count(Metric.CONFLICTS, Tags.empty(), 0);
    count(Metric.KEEPER_FAILURES, Tags.empty(), 0);
    for (Reason reason : Reason.values()) {
      count(Metric.REPORTS, Tags.of("reason", reason.word()), 0);
    }
  }

  public String scrape() {
    return registry.scrape();
  }

  public void gauge(Metric metric, Tags tags, DoubleSupplier value) {
    Gauge.builder(metric.scraped(), value::getAsDouble)
        .tags(tags)
        .description(metric.meaning())
        .strongReference(true)
        .register(registry);
  }

  private void counted(Metric metric, ToDoubleFunction<Counts> part) {
    gauge(metric, Tags.empty(), () -> part.applyAsDouble(counts));
  }

  /** What the Keeper says about itself; it can only be asked on its own thread. */
  public void counts(Counts latest) {
    counts = latest;
  }

  public void lag(long nanos) {
    lag.record(nanos, TimeUnit.NANOSECONDS);
  }

  public void keeperFailed() {
    count(Metric.KEEPER_FAILURES, Tags.empty(), 1);
  }

  public void leaseFailed() {
    count(Metric.LEASE_FAILURES, Tags.empty(), 1);
  }

  public void watched(String resource, String type) {
    count(
        Metric.WATCH_EVENTS,
        Tags.of("resource", resource, "type", type.toLowerCase(Locale.ROOT)),
        1);
  }

  public void relisted(String resource) {
    count(Metric.RELISTS, Tags.of("resource", resource), 1);
  }

  public void unreadable(String resource) {
    count(Metric.UNREADABLE, Tags.of("resource", resource), 1);
  }

  public void reported(Reason reason) {
    count(Metric.REPORTS, Tags.of("reason", reason.word()), 1);
  }

  void event(String result) {
    count(Metric.EVENTS, Tags.of("result", result), 1);
  }

  public void requested(Effect.Request request, Input answer, long nanos) {
    String purpose = purpose(request);
    String outcome = outcome(answer);
    count(Metric.REQUESTS, Tags.of("purpose", purpose, "outcome", outcome), 1);
    timer(Metric.REQUEST_SECONDS, Tags.of("purpose", purpose)).record(nanos, TimeUnit.NANOSECONDS);
    switch (outcome) {
      case "conflict" -> count(Metric.CONFLICTS, Tags.empty(), 1);
      case "ok" -> succeeded(request);
      default -> {}
    }
  }

  private void succeeded(Effect.Request request) {
    switch (request) {
      case Effect.PatchNode patch when patch.purpose() == Purpose.RESTORE ->
          count(Metric.RESTORES, Tags.empty(), 1);
      case Effect.CreateRecord create -> count(Metric.CAPTURES, Tags.empty(), 1);
      case Effect.UpdateRecord update
          when update.purpose() == Purpose.CAPTURE
              || update.purpose() == Purpose.MERGE
              || update.purpose() == Purpose.LAST_WORD ->
          count(Metric.CAPTURES, Tags.empty(), 1);
      default -> {}
    }
  }

  private static String purpose(Effect.Request request) {
    return switch (request) {
      case Effect.PatchNode patch -> patch.purpose().name().toLowerCase(Locale.ROOT);
      case Effect.CreateRecord create -> create.purpose().name().toLowerCase(Locale.ROOT);
      case Effect.UpdateRecord update -> update.purpose().name().toLowerCase(Locale.ROOT);
      case Effect.DeleteRecord delete -> "delete";
      case Effect.ReadRecord read -> "read_record";
      case Effect.ReadNode read -> "read_node";
    };
  }

  private static String outcome(Input answer) {
    return answer instanceof Input.Done(var request, Outcome outcome)
        ? outcome.getClass().getSimpleName().toLowerCase(Locale.ROOT)
        : "ok";
  }

  private void count(Metric metric, Tags tags, double amount) {
    Counter.builder(metric.scraped())
        .tags(tags)
        .description(metric.meaning())
        .register(registry)
        .increment(amount);
  }

  private Timer timer(Metric metric, Tags tags) {
    return Timer.builder(metric.scraped())
        .tags(tags)
        .description(metric.meaning())
        .serviceLevelObjectives(
            Duration.ofMillis(5),
            Duration.ofMillis(25),
            Duration.ofMillis(100),
            Duration.ofMillis(500),
            Duration.ofSeconds(2),
            Duration.ofSeconds(10))
        .register(registry);
  }

  @Override
  public void close() {
    gc.close();
    registry.close();
  }
}
