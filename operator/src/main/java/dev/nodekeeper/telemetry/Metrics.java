package dev.nodekeeper.telemetry;

import dev.nodekeeper.api.Build;
import dev.nodekeeper.core.keep.Counts;
import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Effect.Purpose;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.NodeClass;
import dev.nodekeeper.core.keep.Outcome;
import dev.nodekeeper.core.keep.Reason;
import dev.nodekeeper.core.keep.Role;
import dev.nodekeeper.core.keep.Verdict;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.State;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Counts what happens. Labels are words of ours only, never names of nodes or keys. */
public final class Metrics implements AutoCloseable {
  private static final List<Duration> FAST = millis(5, 25, 100, 500, 2000, 10_000);

  /** The goals are 250 ms for a restore and 1 s for a capture; an outage takes minutes. */
  private static final List<Duration> PATIENT =
      millis(50, 100, 250, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 300_000);

  /** Where nothing is waited for, there is no age. */
  private static final List<State> WAITS =
      List.of(State.PENDING_CAPTURE, State.PENDING_RESTORE, State.REFUSED);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();
  private final Timer lag = timer(Metric.LAG, Tags.empty(), FAST);
  private final Timer restored = timer(Metric.RESTORE_SECONDS, Tags.empty(), PATIENT);
  private final Timer captured = timer(Metric.CAPTURE_SECONDS, Tags.empty(), PATIENT);
  private final Tags role;
  private volatile Counts counts = Counts.NONE;

  public Metrics() {
    this(Role.ALL);
  }

  /** NB: two roles see the same nodes, so what adds up does so by role. */
  public Metrics(Role role) {
    this.role = Tags.of("role", role.name().toLowerCase(Locale.ROOT));
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
    for (State state : State.values()) {
      Tags tags = this.role.and("state", state.word());
      gauge(Metric.OWNED, tags, () -> counts.owned().getOrDefault(state, 0));
      if (WAITS.contains(state)) {
        gauge(Metric.PENDING_AGE, tags, () -> counts.oldestMillis().getOrDefault(state, 0L) / 1e3);
      }
    }
    for (Verdict verdict : Verdict.values()) {
      sum(
          Metric.DECISIONS,
          Tags.of("decision", verdict.word()),
          counts -> counts.decisions().getOrDefault(verdict, 0L));
    }
    for (NodeClass each : NodeClass.values()) {
      for (Kind kind : Kind.values()) {
        sum(
            Metric.CHANGES,
            Tags.of("class", each.word(), "kind", word(kind)),
            counts -> counts.changes().getOrDefault(each, Map.of()).getOrDefault(kind, 0L));
      }
    }
    // What is often looked at exists from the start: a rate needs a zero to rise from.
    count(Metric.RESTORES, Tags.empty(), 0);
    count(Metric.CAPTURES, Tags.empty(), 0);
    count(Metric.CREATED, Tags.empty(), 0);
    count(Metric.REMOVED, Tags.empty(), 0);
    count(Metric.LEASE_FAILURES, Tags.empty(), 0);
    for (Kind kind : Kind.values()) {
      count(Metric.RESTORED_KEYS, Tags.of("kind", word(kind)), 0);
    }
    for (String resource : List.of("nodes", "records")) {
      count(Metric.RELISTS, Tags.of("resource", resource), 0);
      count(Metric.UNREADABLE, Tags.of("resource", resource), 0);
    }
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

  /** Of a process with that role: its leases. */
  public void leases(Supplier<Lease> lease) {
    gauge(Metric.SHARDS, role, () -> lease.get().shards());
    gauge(Metric.SHARDS_OWNED, role, () -> lease.get().owned());
    for (Lease.State state : Lease.State.values()) {
      gauge(
          Metric.LEASE_STATE,
          role.and("state", state.name().toLowerCase(Locale.ROOT)),
          () -> lease.get().state() == state ? 1 : 0);
    }
  }

  /** What of the work is ours. */
  public record Lease(int shards, int owned, boolean alone) {
    State state() {
      return alone ? State.ALONE : owned > 0 ? State.OWNER : State.STANDBY;
    }

    enum State {
      OWNER,
      STANDBY,
      ALONE
    }
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

  public void reported(Effect.Report report) {
    count(Metric.REPORTS, Tags.of("reason", report.reason().word()), 1);
    long took = report.facts().tookMillis();
    switch (report.reason()) {
      case RESTORED -> restored.record(took, TimeUnit.MILLISECONDS);
      case CAPTURED -> captured.record(took, TimeUnit.MILLISECONDS);
      default -> {}
    }
  }

  public void responded(Effect.Request request, int code) {
    String call =
        switch (request) {
          case Effect.PatchNode _ -> "patch-node";
          case Effect.CreateRecord _ -> "create-record";
          case Effect.UpdateRecord _ -> "update-record";
          case Effect.DeleteRecord _ -> "delete-record";
          case Effect.ReadRecord _ -> "read-record";
          case Effect.ReadNode _ -> "read-node";
        };
    count(Metric.RESPONSES, Tags.of("call", call, "code", Integer.toString(code)), 1);
  }

  void event(String result) {
    count(Metric.EVENTS, Tags.of("result", result), 1);
  }

  public void requested(Effect.Request request, Input answer, long nanos) {
    String purpose = purpose(request);
    String outcome = outcome(answer);
    count(Metric.REQUESTS, Tags.of("purpose", purpose, "outcome", outcome), 1);
    timer(Metric.REQUEST_SECONDS, Tags.of("purpose", purpose), FAST)
        .record(nanos, TimeUnit.NANOSECONDS);
    switch (outcome) {
      case "conflict" -> count(Metric.CONFLICTS, Tags.empty(), 1);
      case "ok" -> succeeded(request);
      default -> {}
    }
  }

  private void succeeded(Effect.Request request) {
    switch (request) {
      case Effect.PatchNode patch -> {
        count(Metric.RESTORES, Tags.empty(), patch.purpose() == Purpose.RESTORE ? 1 : 0);
        patch
            .gift()
            .keys()
            .forEach((kind, n) -> count(Metric.RESTORED_KEYS, Tags.of("kind", word(kind)), n));
      }
      case Effect.CreateRecord create -> {
        count(Metric.CREATED, Tags.empty(), 1);
        count(Metric.CAPTURES, Tags.empty(), 1);
      }
      case Effect.DeleteRecord delete -> count(Metric.REMOVED, Tags.empty(), 1);
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

  private void sum(Metric metric, Tags tags, ToDoubleFunction<Counts> part) {
    FunctionCounter.builder(metric.scraped(), this, m -> part.applyAsDouble(m.counts))
        .tags(tags)
        .description(metric.meaning())
        .register(registry);
  }

  private static String word(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static List<Duration> millis(long... each) {
    return Arrays.stream(each).mapToObj(Duration::ofMillis).toList();
  }

  private Timer timer(Metric metric, Tags tags, List<Duration> buckets) {
    return Timer.builder(metric.scraped())
        .tags(tags)
        .description(metric.meaning())
        .serviceLevelObjectives(buckets.toArray(Duration[]::new))
        .register(registry);
  }

  @Override
  public void close() {
    gc.close();
    registry.close();
  }
}
