package dev.nodekeeper;

import dev.nodekeeper.api.Build;
import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.api.NoClusterException;
import dev.nodekeeper.config.Listen;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.console.Chronicle;
import dev.nodekeeper.console.Console;
import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.Keeper;
import dev.nodekeeper.core.keep.Role;
import dev.nodekeeper.core.keep.Shares;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.effect.EffectRunner;
import dev.nodekeeper.http.Check;
import dev.nodekeeper.http.HealthServer;
import dev.nodekeeper.look.Cluster;
import dev.nodekeeper.loop.Inbox;
import dev.nodekeeper.loop.KeeperLoop;
import dev.nodekeeper.loop.Nonces;
import dev.nodekeeper.loop.SteadyClock;
import dev.nodekeeper.loop.Thrift;
import dev.nodekeeper.pace.Backoff;
import dev.nodekeeper.pace.Stop;
import dev.nodekeeper.pace.TokenBucket;
import dev.nodekeeper.pace.Window;
import dev.nodekeeper.read.NodeReader;
import dev.nodekeeper.share.Holdings;
import dev.nodekeeper.share.Hooks;
import dev.nodekeeper.share.Layout;
import dev.nodekeeper.share.LeaseSharing;
import dev.nodekeeper.share.ReplicaName;
import dev.nodekeeper.share.Sharing;
import dev.nodekeeper.share.Terms;
import dev.nodekeeper.store.NamespaceGuard;
import dev.nodekeeper.telemetry.Events;
import dev.nodekeeper.telemetry.Logging;
import dev.nodekeeper.telemetry.Metric;
import dev.nodekeeper.telemetry.Metrics;
import dev.nodekeeper.telemetry.Reporter;
import dev.nodekeeper.watch.ListOrder;
import dev.nodekeeper.watch.NodeFeed;
import dev.nodekeeper.watch.RecordFeed;
import dev.nodekeeper.watch.Reflector;
import dev.nodekeeper.watch.WatchHealth;
import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One running operator: everything is made and connected here, and nowhere else. */
public final class Nodekeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Nodekeeper.class);
  private static final int STOPPED = 0;
  private static final int CANNOT_START = 2;
  private static final int EVENTS_PER_SECOND = 5;
  private static final int EVENTS_BURST = 25;
  private static final Duration LAST_WORK = Duration.ofMillis(500);

  private final Stop stop = new Stop();
  private final Metrics metrics;
  private final Inbox inbox = new Inbox();
  private final WatchHealth nodeHealth = new WatchHealth("nodes", System::nanoTime);
  private final WatchHealth recordHealth = new WatchHealth("records", System::nanoTime);
  private final HttpApi api;
  private final NamespaceGuard guard;
  private final Window window;
  private final EffectRunner runner;
  private final KeeperLoop loop;
  private final Sharing sharing;
  private final Events events;
  private final Reporter reporter;
  private final Reflector<NodeState> nodes;
  private final Reflector<Stored> records;
  private final HealthServer http;
  private final List<Check> ready;
  private final Chronicle chronicle = new Chronicle(new SteadyClock());
  private final Optional<Console> console;

  private Nodekeeper(Settings settings) throws NoClusterException, IOException {
    metrics = new Metrics(settings.role());
    api = HttpApi.connect(settings.cluster());
    guard = new NamespaceGuard(api, settings.namespace(), backoff(Duration.ofMillis(200)), stop);
    NodeReader reader = new NodeReader(settings.policy());
    int writers = settings.limits().inFlight();
    window = new Window(writers, System::nanoTime);
    runner =
        new EffectRunner(
            api,
            settings.namespace(),
            reader,
            inbox::put,
            guard,
            window,
            new TokenBucket(settings.rate(), writers, System::nanoTime),
            this::owns,
            System::nanoTime,
            metrics,
            stop);
    events =
        new Events(
            api,
            metrics,
            new TokenBucket(EVENTS_PER_SECOND, EVENTS_BURST, System::nanoTime),
            System::nanoTime,
            stop);
    reporter = new Reporter(metrics, events);
    loop =
        new KeeperLoop(
            new Keeper(settings.policy(), settings.limits(), settings.role()),
            inbox,
            this::take,
            metrics,
            new SteadyClock(),
            api::serverMillis,
            this::shares,
            new Nonces(),
            stop);
    // What is remembered must be known before a node can be new.
    var order = new ListOrder();
    nodes =
        new Reflector<>(
            api,
            new NodeFeed(reader, page -> loop.ask(keeper -> keeper.familiar().nodes(page), page)),
            this::see,
            nodeHealth,
            metrics,
            watchBackoff(),
            loop::calm,
            order.second(),
            stop);
    records =
        new Reflector<>(
            api,
            new RecordFeed(
                settings.namespace(),
                page -> loop.ask(keeper -> keeper.familiar().records(page), page)),
            inbox::put,
            recordHealth,
            metrics,
            watchBackoff(),
            loop::calm,
            order.first(),
            stop);
    ready = List.of(guard::problem, recordHealth::problem, nodeHealth::problem, loop::problem);
    sharing = share(settings);
    List<Check> live =
        List.of(loop::problem, recordHealth::death, nodeHealth::death, sharing::problem);
    http = HealthServer.start(settings.httpPort(), live, ready, metrics::scrape);
    console = settings.console().flatMap(where -> console(where, settings));
  }

  /** Nobody is kept waiting for a node because a port is taken. */
  private Optional<Console> console(Listen where, Settings settings) {
    try {
      return Optional.of(
          Console.start(
              where,
              query -> loop.ask(keeper -> keeper.survey(query)),
              api,
              new Cluster(api, settings),
              chronicle,
              this::problems,
              stop));
    } catch (IOException e) {
      LOG.warn(
          "No console: cannot listen on {}:{} (--console): {}",
          where.host(),
          where.port(),
          e.getMessage());
      return Optional.empty();
    }
  }

  private void see(Input input) {
    chronicle.saw(input);
    inbox.put(input);
  }

  private void take(Effect effect) {
    switch (effect) {
      case Effect.Request request -> runner.perform(request);
      case Effect.Recall recall -> runner.recall(recall);
      case Effect.Report report -> {
        chronicle.told(report);
        reporter.accept(report);
      }
    }
  }

  /** Returns when all is set up; the API server may come later. */
  public static Nodekeeper start(Settings settings) throws StartupException {
    try {
      Nodekeeper nodekeeper = new Nodekeeper(settings);
      nodekeeper.begin(settings);
      return nodekeeper;
    } catch (NoClusterException e) {
      throw new StartupException(e.getMessage(), e);
    } catch (IOException e) {
      throw new StartupException(
          "Cannot listen on port %d (--http-port): %s"
              .formatted(settings.httpPort(), e.getMessage()),
          e);
    }
  }

  /**
   * Starts and blocks; SIGTERM or SIGINT stop it cleanly and end the process with 0.
   *
   * @return the exit code when it could not start
   */
  public static int run(Settings settings) throws InterruptedException {
    Logging.configure(settings.logLevel(), settings.logFormat());
    try {
      Nodekeeper nodekeeper = start(settings);
      Runtime.getRuntime().addShutdownHook(new Thread(nodekeeper::end, "stop"));
      new CountDownLatch(1).await();
      return STOPPED;
    } catch (StartupException e) {
      LOG.error("{}", e.getMessage());
      return CANNOT_START;
    }
  }

  /** NB: a JVM that ends by a signal exits with 143 or 130 unless its hook halts it. */
  private void end() {
    close();
    LOG.info("Stopped");
    Runtime.getRuntime().halt(STOPPED);
  }

  private void begin(Settings settings) {
    metrics.gauge(Metric.INBOX, Tags.empty(), inbox::size);
    metrics.gauge(Metric.WINDOW, Tags.empty(), window::size);
    metrics.leases(this::lease);
    metrics.gauge(Metric.REPLICAS, Tags.empty(), sharing::members);
    for (WatchHealth health : List.of(nodeHealth, recordHealth)) {
      metrics.gauge(Metric.WATCH_AGE, Tags.of("resource", health.resource()), health::age);
    }
    LOG.info(
        "Nodekeeper {} for {}, records in namespace {}, /livez /readyz /metrics on port {}",
        Build.VERSION,
        api.server(),
        settings.namespace(),
        httpPort());
    console.ifPresent(pages -> LOG.info("Console on http://localhost:{}/", pages.port()));
    sharing.start();
    Thread.ofPlatform().name("keeper").start(loop);
    Thread.ofVirtual().name("namespace").start(guard);
    Thread.ofVirtual().name("events").start(events);
    Runtime jvm = Runtime.getRuntime();
    Thread.ofVirtual()
        .name("thrift")
        .start(new Thrift(jvm::totalMemory, this::idle, loop::effectCount, System::gc, stop));
    Thread.ofPlatform().name("watch-records").daemon().start(this::watchRecords);
    Thread.ofPlatform().name("watch-nodes").daemon().start(nodes);
  }

  private void watchRecords() {
    try {
      guard.awaitAnswer();
      records.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public int httpPort() {
    return http.port();
  }

  /** Empty where there is none. */
  public OptionalInt consolePort() {
    return console.map(pages -> OptionalInt.of(pages.port())).orElse(OptionalInt.empty());
  }

  /** What /readyz would complain about. */
  public List<String> problems() {
    return ready.stream().map(Check::problem).flatMap(Optional::stream).toList();
  }

  /** Ready, and nothing to do as far as we have heard. */
  public boolean idle() {
    return problems().isEmpty() && loop.idle();
  }

  /** True when ready within that time. */
  public boolean awaitReady(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!problems().isEmpty()) {
      if (System.nanoTime() - deadline > 0 || stop.await(Duration.ofMillis(20))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Does what is left to do for half a second, because who comes after us may not know of it; stops
   * watching, lets requests in flight finish for up to 5 s. Can be called twice.
   */
  @Override
  public void close() {
    if (stop.signalled()) {
      return;
    }
    LOG.info("Stopping");
    long until = System.nanoTime() + LAST_WORK.toNanos();
    while (!loop.idle() && until - System.nanoTime() > 0) {
      stop.await(Duration.ofMillis(10));
    }
    stop.signal();
    nodes.close();
    records.close();
    inbox.close();
    sharing.close();
    runner.close();
    http.close();
    console.ifPresent(Console::close);
    api.close();
    metrics.close();
  }

  // ---- which nodes are ours

  private Sharing share(Settings settings) throws NoClusterException {
    if (settings.shards() == 0) {
      return Sharing.none();
    }
    String kind =
        settings.role() == Role.ALL ? "" : "-" + settings.role().name().toLowerCase(Locale.ROOT);
    return new LeaseSharing(
        HttpApi.connect(
            settings.cluster(),
            Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory())),
        new Layout(settings.namespace(), "nodekeeper" + kind, settings.shards()),
        ReplicaName.unique(),
        new Terms((int) settings.lease().toSeconds()),
        new Hooks(
            nodeHealth::isListed,
            loop::dealtWith,
            this::drained,
            inbox::nudge,
            metrics::leaseFailed,
            guard::missing),
        new SteadyClock());
  }

  private Metrics.Lease lease() {
    Holdings now = sharing.current();
    return new Metrics.Lease(now.count(), now.owned().cardinality(), sharing.alone());
  }

  private Shares shares() {
    return sharing.current().shares();
  }

  private boolean owns(String node) {
    return sharing.current().owns(node);
  }

  private boolean drained(int shard) {
    int count = sharing.current().count();
    return runner.underWay().stream().noneMatch(node -> Shares.shard(node, count) == shard);
  }

  private static Backoff watchBackoff() {
    return backoff(Duration.ofMillis(100));
  }

  private static Backoff backoff(Duration first) {
    return new Backoff(first, Duration.ofSeconds(30), new SplittableRandom());
  }
}
