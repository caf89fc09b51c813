package dev.nodekeeper.bench.phase;

import dev.nodekeeper.api.Call;
import dev.nodekeeper.bench.load.Fleet;
import dev.nodekeeper.bench.load.KubeletBody;
import dev.nodekeeper.bench.load.Loader;
import dev.nodekeeper.bench.load.Loader.Speed;
import dev.nodekeeper.bench.load.Requests;
import dev.nodekeeper.bench.measure.Launch;
import dev.nodekeeper.bench.measure.Profile;
import dev.nodekeeper.bench.measure.Replica;
import dev.nodekeeper.bench.report.Figure;
import dev.nodekeeper.bench.report.Progress;
import dev.nodekeeper.bench.report.Results;
import java.time.Duration;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** What the phases of one run share: the control plane, the fleet, and the process under test. */
public final class Session implements AutoCloseable {
  /** Of what is sent at a pace. */
  static final int IN_FLIGHT = 32;

  private static final Duration CHECK = Duration.ofSeconds(60);

  private final Plan plan;
  private final Results results;
  private final Fleet fleet;
  private final Stand stand = Stand.start();
  private final Loader world = new Loader(stand.admin());
  private final Probe probe = new Probe(stand);
  private @Nullable Replica main;
  private String running = "";
  private int lost;
  private int stale;
  private int overwritten;

  public Session(Plan plan, Results results) {
    this.plan = plan;
    this.results = results;
    this.fleet = new Fleet(plan.nodes(), plan.seed());
  }

  Plan plan() {
    return plan;
  }

  Results results() {
    return results;
  }

  Fleet fleet() {
    return fleet;
  }

  Stand stand() {
    return stand;
  }

  void figure(String key, String what, double value, String unit) {
    results.add(Figure.of(key, what, value, unit));
  }

  // ---- kubelets and people

  Speed all(String what, Loader loader, int count, IntFunction<Call> call) {
    var progress = new Progress(what, count);
    return loader.all(count, call, progress::at);
  }

  Speed all(String what, IntFunction<Call> call) {
    return all(what, world, fleet.size(), call);
  }

  Speed registerAll() {
    return all("nodes register", i -> Requests.register(fleet, i));
  }

  Speed vanishAll() {
    return all("nodes are deleted", i -> Requests.vanish(fleet, fleet.at(i)));
  }

  /** In the name of kubelets and people; nobody counts these. */
  Loader world() {
    return world;
  }

  /** At their real rate, each node every five minutes. */
  void heartbeats(String what, double seconds) {
    double perSecond = fleet.size() / 300.0;
    int count = Math.max(1, (int) (perSecond * seconds));
    var progress = new Progress(what, count);
    Loader.paced(
        count,
        count / seconds,
        IN_FLIGHT,
        i -> world.send(Requests.heartbeat(fleet, fleet.at(i), KubeletBody.heartbeat())),
        progress::at);
  }

  // ---- the process under test

  Replica start(String name, String... flags) {
    Launch launch = plan.profiled() ? plan.launch().with(Profile.option()) : plan.launch();
    return Replica.start(launch, name, stand.keeperKubeconfig(), flags);
  }

  /** Returns at once. */
  Replica startMain() {
    if (main != null) {
      throw new IllegalStateException("it runs already");
    }
    var started = start("main");
    main = started;
    return started;
  }

  /** The one replica of most phases; started where it does not run. */
  Replica main() {
    var it = main;
    if (it == null) {
      it = startMain();
      awaitActs(it);
    }
    return it;
  }

  /** Ready, all compared, and its lease taken. */
  void awaitActs(Replica replica) {
    replica.awaitReady(plan.patience());
    probe.awaitActs(replica, plan.patience());
  }

  void stopMain() {
    keepProfile();
    if (main != null) {
      main.stop();
      main = null;
    }
  }

  /** From now on this one is it. */
  void adopt(Replica replica) {
    main = replica;
  }

  // ---- around each phase

  /** The phase with all that is done for every one of them. */
  public void run(Phase phase) {
    Progress.line("== " + phase.word() + ": " + phase.meaning());
    if (plan.profiled() && main != null) {
      Profile.restart(main.pid());
    }
    var mark = stand.mark();
    running = phase.word();
    phase.run(this);
    results.requests(phase.word(), stand.since(mark).byKind());
    keepProfile();
    var verdict = Check.within(CHECK, stand.admin(), fleet);
    verdict.examples().forEach(example -> Progress.line("WRONG: " + example));
    lost += verdict.lost();
    stale += verdict.stale();
    overwritten += verdict.overwritten();
    stand.etcd().compact();
    stand.etcd().defragment();
  }

  private void keepProfile() {
    if (plan.profiled() && main != null) {
      results.profile(running, Profile.hotMethods(main.pid(), plan.launch().logs()));
    }
  }

  /** Of all checks, one after each phase. */
  public void conclude() {
    results.add(Figure.of("check.lost", "lost", lost, "").atMost(0));
    results.add(Figure.of("check.stale", "stale", stale, "").atMost(0));
    results.add(Figure.of("check.overwritten", "overwritten", overwritten, "").atMost(0));
    results.fact("etcd at the end, MiB", Math.round(stand.etcd().sizeMib()));
  }

  @Override
  public void close() {
    if (main != null) {
      main.close();
    }
    stand.close();
  }
}
