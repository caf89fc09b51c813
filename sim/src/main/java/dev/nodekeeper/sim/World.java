package dev.nodekeeper.sim;

import dev.nodekeeper.core.keep.Effect;
import dev.nodekeeper.core.keep.Input;
import dev.nodekeeper.core.keep.Outcome;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.sim.Replica.Pending;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One history: people and kubelets act, replicas lag, crash and lose replies; all from one plan.
 */
final class World {
  /** A watch that lags for longer is noticed, a request that takes longer has failed. */
  private static final long PATIENCE_MILLIS = 150_000;

  /** Longer than anything that waits while nothing happens, restores that are undone aside. */
  private static final long QUIET_MILLIS = 750_000;

  /** A read costs little: a record that is nowhere is looked for, for a while. */
  private static final int READS_PER_WRITE = 10;

  private static final int REQUESTS_TO_SETTLE = 300 * READS_PER_WRITE;

  private static final List<String> NAMES = List.of("n1", "n2");

  private final Plan plan;
  private final @Nullable Story story;
  private final List<String> names;
  private final List<Replica> replicas = new ArrayList<>();
  private final Set<Fault> happened = EnumSet.noneOf(Fault.class);
  private final Promises promises;
  private final ApiServer server;
  private final People people;
  private final Owners owners;

  /** Requests whose senders gave them up: they may still land. */
  private final List<Pending> limbo = new ArrayList<>();

  private ApiServer.@Nullable Backup backup;
  private Map<String, Expected> backupOfPromises = Map.of();
  private int nonces;

  private World(Plan plan, @Nullable Story story) {
    this.plan = plan;
    this.story = story;
    this.names = NAMES.subList(0, plan.family().names());
    this.promises = new Promises(plan.policy(), replicas);
    this.server = new ApiServer(plan.policy(), promises);
    promises.watch(server);
    this.people = new People(plan, server, promises, happened, story);
    server.millis = 1_000_000;
    this.owners = Owners.of(plan, server, replicas);
    for (int i = 0; i < plan.roles().size(); i++) {
      boolean narrow = i == 1 && plan.has(Fault.MIXED_POLICY);
      Replica replica =
          new Replica(
              String.valueOf((char) ('a' + i)),
              plan.roles().get(i),
              server,
              narrow ? Plan.taintsOnly(plan.policy()) : plan.policy(),
              narrow,
              this::nonce,
              story);
      replicas.add(replica);
      owners.start(replica);
      replica.list();
      happened(narrow, Fault.MIXED_POLICY);
    }
    owners.deal();
  }

  /**
   * How a history ended.
   *
   * @param violation null when every promise was kept
   * @param excused limits without which one would have been broken
   */
  record Result(@Nullable Violation violation, Set<Fault> happened, Set<Limit> excused) {}

  static Result play(Plan plan) {
    return play(plan, null);
  }

  /** The same history, told. */
  static Result play(Plan plan, @Nullable Story story) {
    World world = new World(plan, story);
    Violation violation = null;
    try {
      world.run();
    } catch (Violation e) {
      violation = e;
    } catch (RuntimeException e) {
      violation = new Violation(Invariant.CRASHED, e.toString(), e);
    }
    if (violation != null && story != null) {
      story.tell("!", String.valueOf(violation.getMessage()));
    }
    return new Result(violation, world.happened, world.promises.excused);
  }

  private void run() {
    for (Step step : plan.steps()) {
      step(step);
    }
    names.forEach(people::finish);
    tell("no more faults");
    replicas.forEach(replica -> replica.pausedUntil = 0);
    limbo.forEach(this::land);
    limbo.clear();
    server.othersWrite();
    owners.deal();
    settle();
    SplittableRandom random = new SplittableRandom(plan.seed());
    names.stream().filter(n -> server.node(n) != null).forEach(n -> people.heartbeat(n, random));
    settle();
    promises.atRest();
    replay();
    quiet();
  }

  private String nonce() {
    String digits = Integer.toString(++nonces);
    return "nonce-0000000000000000".substring(0, 22 - digits.length()) + digits;
  }

  private void tell(String what) {
    if (story != null) {
      story.tell("-", what);
    }
  }

  private boolean happened(boolean really, Fault fault) {
    if (really) {
      happened.add(fault);
    }
    return really;
  }

  // ---- steps

  private void step(Step step) {
    SplittableRandom random = new SplittableRandom(step.dice());
    if (step.act() == Step.Act.PEOPLE) {
      people.act(names.get(step.who() % names.size()), random);
      return;
    }
    if (step.act() == Step.Act.TIME) {
      time(random);
      return;
    }
    Replica replica = replicas.get(step.who() % replicas.size());
    if (replica.pausedUntil > 0 && step.act() != Step.Act.TROUBLE) {
      return;
    }
    switch (step.act()) {
      case NODE_EVENT -> {
        boolean coalesced = plan.has(Fault.COALESCED) && random.nextBoolean() && replica.coalesce();
        if (!happened(coalesced, Fault.COALESCED)) {
          replica.nodeEvent();
        }
      }
      case RECORD_EVENT -> replica.recordEvent();
      case SEND -> send(replica, random);
      case REPLY -> replica.reply();
      case BOOKMARK -> replica.bookmark();
      case TROUBLE -> trouble(replica, random);
      case SHARE -> owners.change(replica, random);
      case PEOPLE, TIME -> throw new AssertionError(step);
    }
  }

  private void time(SplittableRandom random) {
    int dice = random.nextInt(100);
    boolean minutes = plan.has(Fault.PAUSED) && dice < 10;
    long passes =
        minutes
            ? random.nextInt(400_000)
            : dice < 25 ? random.nextInt(65_000) : random.nextInt(150);
    server.millis += passes;
    if (passes > 1_000) {
      tell(passes / 1000 + " s pass");
    }
    limbo.removeIf(pending -> server.millis - pending.madeAt() > PATIENCE_MILLIS);
    for (Replica replica : replicas) {
      if (replica.pausedUntil <= server.millis) {
        replica.pausedUntil = 0;
        beforePatienceEnds(replica, random);
        replica.tick();
      }
    }
  }

  /** A silent watch is noticed, and so is a request without an answer. */
  private void beforePatienceEnds(Replica replica, SplittableRandom random) {
    if (plan.has(Fault.WATCH_CUT)
        && server.millis - replica.oldestUnseen() > PATIENCE_MILLIS
        && random.nextBoolean()) {
      cut(replica);
    }
    while (server.millis - replica.oldestUnseen() > PATIENCE_MILLIS) {
      boolean _ = replica.nodeEvent() | replica.recordEvent();
    }
    for (Pending next = replica.peekToSend();
        next != null && server.millis - next.madeAt() > PATIENCE_MILLIS;
        next = replica.peekToSend()) {
      send(replica, random);
    }
  }

  private void send(Replica replica, SplittableRandom random) {
    Pending pending = replica.nextToSend();
    if (pending == null) {
      return;
    }
    Effect.Request request = pending.request();
    boolean stale = server.millis - pending.madeAt() > Effect.Request.FRESH.toMillis();
    boolean foreign = request.ownersOnly() && !replica.owns(request.node()) && random.nextBoolean();
    if (stale || foreign) {
      replica.answer(new Input.Done(request, new Outcome.NotSent()));
      return;
    }
    int dice = random.nextInt(100);
    boolean busyNode = request instanceof Effect.PatchNode && plan.has(Fault.CONFLICT) && dice < 35;
    Fault fault = busyNode ? Fault.CONFLICT : dice < 75 ? null : wireFault(random);
    switch (fault) {
      case REQUEST_LOST -> replica.answer(Replica.unknown(request, "cut", 0));
      case LATE_COMMIT -> {
        limbo.add(pending);
        replica.answer(Replica.unknown(request, "timed out", 0));
      }
      case REPLY_LOST -> {
        Input unseen = perform(pending);
        replica.answer(Replica.unknown(request, "cut", 0));
        if (story != null) {
          story.tell(replica.name, "  (lost: " + Story.of(unseen) + ")");
        }
      }
      case REFUSED ->
          replica.answer(
              new Input.Done(request, new Outcome.Refused(random.nextBoolean() ? 403 : 422, "no")));
      case THROTTLED ->
          replica.answer(Replica.unknown(request, "429", 1_000L * (1 + random.nextInt(20))));
      case CONFLICT -> {
        NodeState node = server.state(request.node());
        if (node != null && request instanceof Effect.PatchNode) {
          people.heartbeat(request.node(), random);
          happened.add(Fault.CONFLICT);
        }
        replica.answer(perform(pending));
      }
      case null, default -> replica.answer(perform(pending));
    }
    if (fault != null && fault != Fault.CONFLICT) {
      happened.add(fault);
      if (story != null) {
        story.tell(replica.name, "  " + fault + ": " + Story.of(request));
      }
    }
  }

  private static final List<Fault> OF_THE_WIRE =
      List.of(
          Fault.REQUEST_LOST, Fault.REPLY_LOST, Fault.LATE_COMMIT, Fault.REFUSED, Fault.THROTTLED);

  private @Nullable Fault wireFault(SplittableRandom random) {
    Fault fault = OF_THE_WIRE.get(random.nextInt(OF_THE_WIRE.size()));
    return plan.has(fault) ? fault : null;
  }

  private Input perform(Pending pending) {
    server.sent(pending);
    Input reply = server.perform(pending.request());
    if (story != null) {
      story.tell(pending.sender().name, "sends " + Story.of(pending.request()));
    }
    return reply;
  }

  private void land(Pending pending) {
    tell("late, from " + pending.sender().name + ":");
    Input unseen = perform(pending);
    if (story != null) {
      story.tell(pending.sender().name, "  (unseen: " + Story.of(unseen) + ")");
    }
  }

  private static final List<Fault> OF_REPLICAS =
      List.of(
          Fault.CRASH,
          Fault.WATCH_CUT,
          Fault.REPLAYED,
          Fault.PAUSED,
          Fault.TIME_JUMP,
          Fault.LATE_COMMIT,
          Fault.LATE_COMMIT,
          Fault.HISTORY_RESET);

  private void trouble(Replica replica, SplittableRandom random) {
    if (replica.pausedUntil > 0) {
      tell(replica.name + " goes on");
      replica.pausedUntil = 0;
      return;
    }
    Fault fault = OF_REPLICAS.get(random.nextInt(OF_REPLICAS.size()));
    if (!plan.has(fault)) {
      return;
    }
    switch (fault) {
      case CRASH -> crash(replica, random);
      case WATCH_CUT -> cut(replica);
      case REPLAYED -> {
        tell("the watches of " + replica.name + " go back");
        happened(replica.rewind(1 + random.nextInt(6)), Fault.REPLAYED);
      }
      case PAUSED -> {
        tell(replica.name + " stands still");
        happened.add(Fault.PAUSED);
        replica.pausedUntil = server.millis + random.nextInt(600_000);
      }
      case TIME_JUMP -> {
        tell("the clock of " + replica.name + " leaps ahead");
        happened.add(Fault.TIME_JUMP);
        replica.ahead += random.nextInt(7_200_000);
        replica.completeSince = server.rv();
        replica.tick();
      }
      case LATE_COMMIT -> {
        if (!limbo.isEmpty()) {
          land(limbo.removeFirst());
        }
      }
      case HISTORY_RESET -> reset();
      default -> throw new AssertionError(fault);
    }
  }

  private void crash(Replica replica, SplittableRandom random) {
    happened.add(Fault.CRASH);
    tell(replica.name + " crashes and starts again");
    List<Pending> unsent = replica.crash();
    if (plan.has(Fault.LATE_COMMIT) && random.nextBoolean()) {
      happened(!unsent.isEmpty(), Fault.LATE_COMMIT);
      limbo.addAll(unsent);
    }
    promises.starts++;
    owners.start(replica);
    list(replica);
  }

  private void cut(Replica replica) {
    happened.add(Fault.WATCH_CUT);
    tell("the watches of " + replica.name + " are cut");
    list(replica);
  }

  private void list(Replica replica) {
    promises.listing(replica);
    replica.list();
  }

  /** The first time a backup is made, then it is put back. */
  private void reset() {
    if (backup == null) {
      tell("etcd is backed up @" + server.rv());
      backup = server.backup();
      backupOfPromises = promises.backup();
      return;
    }
    happened.add(Fault.HISTORY_RESET);
    tell("etcd is restored: @" + server.rv() + " becomes @" + backup.rv());
    server.restore(backup);
    promises.restore(backupOfPromises);
    people.restored();
    limbo.clear();
    for (Replica replica : replicas) {
      replica.on(new Input.NodeListStarted());
      replica.cutOff();
      list(replica);
      promises.starts++;
    }
  }

  // ---- at rest

  /** No faults any more: all is delivered, and time passes until nothing is left to do. */
  private void settle() {
    int requests = 0;
    long lastNews = server.millis;
    while (true) {
      boolean any = false;
      for (Replica replica : replicas) {
        while (replica.nodeEvent() | replica.recordEvent()) {
          any = true;
        }
        replica.bookmark();
        for (Pending p = replica.nextToSend(); p != null; p = replica.nextToSend()) {
          replica.answer(perform(p));
          any = true;
          boolean read =
              p.request() instanceof Effect.ReadNode || p.request() instanceof Effect.ReadRecord;
          requests += read ? 1 : READS_PER_WRITE;
        }
        while (replica.reply()) {
          any = true;
        }
      }
      Promises.check(requests < REQUESTS_TO_SETTLE, Invariant.I7, "no convergence");
      if (any) {
        server.millis += 40;
        lastNews = server.millis;
      } else {
        long next = Long.MAX_VALUE;
        for (Replica replica : replicas) {
          next = Math.min(next, replica.nextDue());
        }
        if (next > lastNews + QUIET_MILLIS) {
          break;
        }
        server.millis = Math.max(next, server.millis + 1);
      }
      replicas.forEach(Replica::tick);
    }
  }

  /** What was delivered of the present life since the last list may be delivered again. */
  private void replay() {
    for (Replica replica : replicas) {
      for (Input input : List.copyOf(replica.delivered)) {
        if (ofThePresent(input)) {
          Promises.check(!replica.on(input), Invariant.I7, "a replay had an effect: " + input);
        }
      }
    }
  }

  private boolean ofThePresent(Input input) {
    return switch (input) {
      case Input.NodeAdded(NodeState node) -> lives(node);
      case Input.NodeModified(NodeState node) -> lives(node);
      case Input.RecordSeen _ -> true;
      default -> false;
    };
  }

  private boolean lives(NodeState seen) {
    NodeState node = server.state(seen.name());
    return node != null && node.uid().equals(seen.uid());
  }

  /** But that a node is away is said after an hour. */
  private void quiet() {
    long before = server.rv() - promises.absencesSaid;
    for (Replica replica : replicas) {
      Promises.check(replica.idle(), Invariant.I7, "not idle");
    }
    server.millis += 7_200_000;
    replicas.forEach(Replica::tick);
    settle();
    long written = server.rv() - promises.absencesSaid - before;
    Promises.check(written == 0, Invariant.I7, "converged, and yet it wrote");
  }
}
