package dev.nodekeeper.share;

import dev.nodekeeper.share.Sightings.Sighting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.random.RandomGenerator;

/**
 * One replica's part in the sharing: answers go in, tasks come out. Pure, for one thread; time
 * comes in as nanoseconds of a monotonic clock.
 */
final class Shareholder {
  private final Layout layout;
  private final String self;
  private final Terms terms;
  private final BooleanSupplier warm;
  private final LongPredicate dealtWith;
  private final IntPredicate drained;
  private final RandomGenerator random;
  private final Sightings sightings;
  private final Seats seats;
  private final Solitude solitude = new Solitude();
  private final Set<String> removing = new HashSet<>();
  private boolean surveying;
  private long surveyAt;
  private long renewAt;
  private boolean stopping;

  /** We know the nodes. */
  private boolean warmed;

  /** More is ours than we are due. */
  private boolean surplus;

  private long surplusSince;

  /** A survey came in and was not looked through for leftovers yet. */
  private boolean untidy;

  /** Others must be able to see us before we look how many we are. */
  private boolean introduced;

  Shareholder(
      Layout layout,
      String self,
      Terms terms,
      BooleanSupplier warm,
      LongPredicate dealtWith,
      IntPredicate drained,
      RandomGenerator random,
      long now) {
    this.layout = layout;
    this.self = self;
    this.terms = terms;
    this.warm = warm;
    this.dealtWith = dealtWith;
    this.drained = drained;
    this.random = random;
    this.sightings = new Sightings(terms);
    this.seats = new Seats(layout, self, terms, sightings);
    this.surveyAt = now;
    this.renewAt = now;
  }

  // ---- what is to be done

  /** All that is due now; each task is to be answered once. */
  List<Task> turn(long now) {
    List<Task> tasks = new ArrayList<>();
    if (!warmed && warm.getAsBoolean()) {
      warmed = true;
      sightings.begin(now);
    }
    if (!stopping && !surveying && now - surveyAt >= 0) {
      surveying = true;
      tasks.add(new Task.Survey());
    }
    resolve(tasks, now);
    if (stopping) {
      release(tasks, now);
      leave(tasks, now);
      return tasks;
    }
    renew(tasks, now);
    if (sightings.recent(now) && introduced && warmed) {
      balance(tasks, now);
      tidy(tasks, now);
    }
    release(tasks, now);
    return tasks;
  }

  private void resolve(List<Task> tasks, long now) {
    for (Seat seat : seats.all()) {
      if (seat.doubtful() && seat.ready(now)) {
        begin(seat, new Task.Look(seat.name()), tasks);
      }
    }
  }

  /** All at once, so that what a dead replica leaves also expires at once. */
  private void renew(List<Task> tasks, long now) {
    if (now - renewAt >= 0) {
      renewAt = now + terms.renew();
      seats.all().forEach(Seat::due);
    }
    for (Seat seat : seats.all()) {
      boolean ours = seat.shard() == Seat.MEMBER ? sightings.begun() && warmed : seats.mine(seat);
      if (ours && seat.renewable(now)) {
        claim(seat, tasks);
      }
    }
  }

  /**
   * What a dead replica leaves, or did not live to take, is taken by whoever sees it first,
   * whatever they are due: one that came later must wait for longer, and does not remember what the
   * dead one had still to write.
   */
  private void balance(List<Task> tasks, long now) {
    Map<String, Integer> held = seats.held(now);
    int ours = held.getOrDefault(self, 0);
    int due = Balance.due(self, held, layout.shards());
    boolean may = mayGiveUp(ours > due, now);
    for (Seat seat : seats.shards().reversed()) {
      if (ours > due && may && seats.mine(seat) && !seat.giving() && !seat.keeping(now)) {
        seat.giveUp(now);
        ours--;
      }
    }
    for (Seat seat : seats.shards()) {
      boolean orphaned = seats.orphaned(seat, now) || seats.abandoned(seat, now);
      if ((ours < due || orphaned) && seats.takeable(seat, now)) {
        if (orphaned) {
          seat.keep(now + terms.inherit());
        }
        claim(seat, tasks);
        ours++;
      }
    }
  }

  /**
   * Who gets it may have come later, and not know what happened before: we deal with that first.
   * But there may be no end of it.
   */
  private boolean mayGiveUp(boolean more, long now) {
    if (more && !surplus) {
      surplusSince = now;
    }
    surplus = more;
    return more && (now - surplusSince >= terms.inherit() || dealtWith.test(seats.youngest(now)));
  }

  private void release(List<Task> tasks, long now) {
    for (Seat seat : seats.shards()) {
      if (seat.giving()
          && !seat.doubtful()
          && seat.ready(now)
          && (seat.givingLong(now) || drained.test(seat.shard()))) {
        sightings
            .present(seat.name())
            .ifPresent(lease -> begin(seat, new Task.Release(lease), tasks));
      }
    }
  }

  /** The last thing that others see of us goes when all else is on its way. */
  private void leave(List<Task> tasks, long now) {
    if (seats.shards().stream().anyMatch(seat -> seats.mine(seat) && !seat.busy())) {
      return;
    }
    seats
        .member()
        .filter(seat -> seat.ready(now) && !seat.doubtful())
        .ifPresent(
            seat ->
                sightings
                    .present(seat.name())
                    .ifPresent(lease -> begin(seat, new Task.Remove(lease), tasks)));
  }

  /** What replicas that crashed, or had other settings, have left behind. */
  private void tidy(List<Task> tasks, long now) {
    if (!untidy) {
      return;
    }
    untidy = false;
    for (Sighting sighting : sightings.all()) {
      String name = sighting.lease().name();
      if (sighting.present()
          && seats.named(name) == null
          && layout.isOurs(name)
          && now - sighting.since() > terms.forget()
          && removing.add(name)) {
        tasks.add(new Task.Remove(sighting.lease()));
      }
    }
  }

  private void claim(Seat seat, List<Task> tasks) {
    begin(seat, new Task.Claim(seat.name(), sightings.present(seat.name())), tasks);
  }

  private static void begin(Seat seat, Task task, List<Task> tasks) {
    seat.begin();
    tasks.add(task);
  }

  // ---- what came of it

  void heard(Answer answer, long now) {
    Task task = answer.task();
    switch (answer) {
      case Answer.Refused(_, var why) when !(task instanceof Task.Remove) ->
          solitude.refused(task, why, now);
      case Answer.Failed _, Answer.Refused _, Answer.Homeless _ -> {}
      default -> solitude.worked(task);
    }
    Seat seat = seats.named(task.name());
    if (task instanceof Task.Survey) {
      surveyed(answer, now);
    } else if (seat == null) {
      removing.remove(task.name());
    } else {
      answered(seat, answer, now);
      if (stopping && seat.shard() != Seat.MEMBER && seats.mine(seat)) {
        // A claim that was under way when we began to leave.
        seat.giveUp(now);
      }
    }
  }

  private void surveyed(Answer answer, long now) {
    surveying = false;
    long asked = answer instanceof Answer.Failed(_, _, var retryAfter) ? retryAfter.toNanos() : 0;
    surveyAt = now + Math.max(terms.poll(random), Math.min(terms.renew(), asked));
    if (answer instanceof Answer.Surveyed(_, var leases, var sent)) {
      introduced |= seats.member().map(seat -> seat.heldBefore(sent)).orElse(true);
      untidy = true;
      seats.survey(leases, sent, now);
    }
  }

  private void answered(Seat seat, Answer answer, long now) {
    switch (answer) {
      case Answer.Written(Task.Claim claim, var lease, var sent) -> {
        seats.learn(seat, lease, now);
        // Who gave it up had nothing under way any more: whatever that owner wrote is older.
        Lease last = claim.seen().filter(Lease::unheld).orElse(lease);
        seat.renewed(sent + terms.valid(), last.rv(), now);
        if (seat.shard() == Seat.MEMBER && !introduced) {
          surveyAt = now;
        }
      }
      case Answer.Written(_, var lease, _) -> seats.learn(seat, lease, now);
      case Answer.Found(_, var lease) -> {
        seats.learn(seat, lease, now);
        seat.due();
      }
      case Answer.Missing _ -> seats.missing(seat, now);
      case Answer.Conflict _ -> seat.doubt();
      case Answer.Failed(_, _, var retryAfter) -> seat.failed(now + pause(seat, retryAfter, now));
      case Answer.Refused _, Answer.Homeless _ ->
          seat.failed(now + pause(seat, Duration.ZERO, now));
      case Answer.Surveyed _ -> throw new IllegalStateException("a survey is about no one seat");
    }
  }

  /** As long as the server asks for, but what we hold must get another chance before it ends. */
  private long pause(Seat seat, Duration retryAfter, long now) {
    long most = seat.valid(now) ? (seat.deadline() - now) / 2 : terms.renew();
    return Math.max(terms.retry(random), Math.min(most, retryAfter.toNanos()));
  }

  // ---- what others may know

  /** From now on everything is given up. */
  void stop(long now) {
    stopping = true;
    seats.shards().stream().filter(seats::mine).forEach(seat -> seat.giveUp(now));
  }

  /** After {@link #stop}: nothing is left of us. */
  boolean left() {
    return seats.all().stream().noneMatch(seat -> seat.busy() || seats.mine(seat));
  }

  /** Something waits for writes in flight, so the next turn should come soon. */
  boolean draining() {
    return stopping || seats.shards().stream().anyMatch(Seat::giving);
  }

  List<Seat> shards() {
    return seats.shards();
  }

  /** Why everything is ours for the time being; empty when it is not. */
  Optional<String> alone(long now) {
    return stopping ? Optional.empty() : solitude.reason(now);
  }

  /** Living replicas, this one included. */
  int members(long now) {
    return seats.held(now).size();
  }
}
