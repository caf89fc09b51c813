package dev.nodekeeper.share;

import dev.nodekeeper.FakeApi;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Replicas, a server and a network in virtual time. After each step it looks whether a shard has
 * two owners.
 */
final class Simulation {
  private static final long TURN = Duration.ofMillis(100).toNanos();
  private static final long LATENCY = Duration.ofMillis(100).toNanos();

  final MemoryLeases server = new MemoryLeases();
  final List<Replica> replicas = new ArrayList<>();
  final Layout layout;
  final SplittableRandom random;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
  long now = 1_000_000;
  private long number;

  /** Of a request, before or after the server has done it. */
  double loss;

  /** Nobody gets an answer. */
  boolean down;

  /** Methods that nobody has the right to. */
  final Set<String> refused = new HashSet<>();

  private record Event(long at, long number, Runnable what) {}

  Simulation(int shards, long seed) {
    this.layout = new Layout("ns", "nodekeeper", shards);
    this.random = new SplittableRandom(seed);
  }

  /** One process. Its wall clock is years off, which must not matter. */
  final class Replica {
    final String name = "replica-%02d".formatted(replicas.size());
    final Set<Integer> inFlight = new HashSet<>();
    private final Shareholder holder;
    private final FakeApi api = new FakeApi();
    private final Duration clock = Duration.ofDays(random.nextInt(-7000, 7000));
    private final LeaseCalls calls;
    private final List<Runnable> unheard = new ArrayList<>();
    private long sent;
    boolean warm;
    boolean idle = true;
    boolean frozen;
    boolean dead;

    Replica(boolean knowsNodes) {
      warm = knowsNodes;
      holder =
          new Shareholder(
              layout,
              name,
              Terms.DEFAULT,
              () -> warm,
              _ -> idle,
              shard -> !inFlight.contains(shard),
              random.split(),
              now);
      calls =
          new LeaseCalls(
              api,
              layout,
              new LeaseDocument(layout, name, Terms.DEFAULT),
              () -> Instant.ofEpochSecond(1_800_000_000L).plusNanos(now).plus(clock),
              () -> sent);
      tick();
    }

    private void tick() {
      turn();
      if (!dead) {
        at(now + TURN, this::tick);
      }
    }

    private void turn() {
      if (!dead && !frozen) {
        holder.turn(now).forEach(this::send);
      }
    }

    private void send(Task task) {
      long asked = now;
      boolean lostThere = random.nextDouble() < loss;
      boolean lostBack = random.nextDouble() < loss;
      long there = random.nextLong(LATENCY);
      at(
          now + there,
          () -> {
            Answer answer = ask(task, asked, lostThere || down);
            boolean silent = lostThere || lostBack || down;
            Answer heard =
                silent ? new Answer.Failed(task, "nothing within 2 s", Duration.ZERO) : answer;
            long back = asked + (silent ? Terms.DEFAULT.timeout().toNanos() : there * 2);
            at(Math.max(now, back), () -> hear(heard));
          });
    }

    private Answer ask(Task task, long asked, boolean lost) {
      sent = asked;
      api.server =
          call -> {
            if (lost) {
              throw FakeApi.unreachable();
            }
            return refused.contains(call.method())
                ? FakeApi.reply(403, "{\"code\":403,\"message\":\"may not\"}")
                : server.answer(call);
          };
      return calls.perform(task, Terms.DEFAULT.timeout());
    }

    private void hear(Answer answer) {
      if (frozen) {
        unheard.add(() -> hear(answer));
      } else if (!dead) {
        holder.heard(answer, now);
        turn();
      }
    }

    void crash() {
      dead = true;
    }

    void stop() {
      holder.stop(now);
      turn();
      at(now + Terms.LEAVE.toNanos(), this::crash);
    }

    void thaw() {
      frozen = false;
      unheard.forEach(Runnable::run);
      unheard.clear();
    }

    boolean owns(int shard) {
      return !dead && shares().owns(shard);
    }

    Holdings shares() {
      return Holdings.of(holder.shards(), layout.shards(), () -> now);
    }

    int owned() {
      return dead ? 0 : shares().owned().cardinality();
    }

    boolean alone() {
      return holder.alone(now).isPresent();
    }

    int members() {
      return holder.members(now);
    }
  }

  Replica start() {
    return start(true);
  }

  /** It does not know the nodes yet. */
  Replica startCold() {
    return start(false);
  }

  private Replica start(boolean warm) {
    Replica replica = new Replica(warm);
    replicas.add(replica);
    return replica;
  }

  void at(long when, Runnable what) {
    events.add(new Event(when, number++, what));
  }

  void run(Duration duration) {
    long end = now + duration.toNanos();
    Event next = events.peek();
    while (next != null && next.at() <= end) {
      events.poll();
      now = Math.max(now, next.at());
      next.what().run();
      check();
      next = events.peek();
    }
    now = end;
  }

  private void check() {
    BitSet owned = new BitSet();
    for (Replica replica : living()) {
      BitSet its = replica.shares().owned();
      if (owned.intersects(its)) {
        throw new AssertionError("two owners at " + now);
      }
      owned.or(its);
    }
  }

  List<Replica> living() {
    return replicas.stream().filter(r -> !r.dead).toList();
  }

  long unowned() {
    return IntStream.range(0, layout.shards())
        .filter(shard -> replicas.stream().noneMatch(r -> r.owns(shard)))
        .count();
  }

  /** Every shard has its owner, and nobody has two more than anybody else. */
  boolean even() {
    var counts = living().stream().mapToInt(Replica::owned).summaryStatistics();
    return unowned() == 0 && counts.getMax() - counts.getMin() <= 1;
  }

  String picture() {
    var owned = new TreeMap<String, String>();
    replicas.forEach(
        r ->
            owned.put(r.name, (r.dead ? "dead " : "") + r.shares().owned() + " of " + r.members()));
    return owned.toString();
  }
}
