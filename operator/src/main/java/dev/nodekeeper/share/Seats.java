package dev.nodekeeper.share;

import dev.nodekeeper.share.Sightings.Sighting;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** All leases that may be ours, beside what we see of them and of other replicas. */
final class Seats {
  private final Layout layout;
  private final String self;
  private final Terms terms;
  private final Sightings sightings;

  /** In the order in which we like them. */
  private final List<Seat> shards;

  private final Optional<Seat> member;
  private final Map<String, Seat> byName = new HashMap<>();

  Seats(Layout layout, String self, Terms terms, Sightings sightings) {
    this.layout = layout;
    this.self = self;
    this.terms = terms;
    this.sightings = sightings;
    int start = layout.start(self);
    this.shards =
        IntStream.range(0, layout.shards())
            .map(i -> (start + i) % layout.shards())
            .mapToObj(i -> new Seat(layout.shard(i), i))
            .toList();
    this.member =
        layout.hasMembers()
            ? Optional.of(new Seat(layout.member(self), Seat.MEMBER))
            : Optional.empty();
    shards.forEach(seat -> byName.put(seat.name(), seat));
    member.ifPresent(seat -> byName.put(seat.name(), seat));
  }

  List<Seat> shards() {
    return shards;
  }

  Optional<Seat> member() {
    return member;
  }

  Collection<Seat> all() {
    return byName.values();
  }

  @Nullable Seat named(String name) {
    return byName.get(name);
  }

  boolean mine(Seat seat) {
    return sightings.heldBy(seat.name(), self);
  }

  boolean takeable(Seat seat, long now) {
    return !mine(seat)
        && !seat.doubtful()
        && seat.ready(now)
        && sightings.free(seat.name(), self, now)
        && (witnessed(seat)
            || nobodyElse(now)
            || sightings.unheldFor(seat.name(), terms.lease(), now));
  }

  /**
   * Whether we knew the nodes before it was given up. What happened while it was nobody's, only
   * those know who did; a later one would restore what people have unset meanwhile.
   */
  private boolean witnessed(Seat seat) {
    long givenUp = sightings.givenUpAt(seat.name());
    return givenUp == 0 || member.stream().allMatch(own -> sightings.shown(own.name(), givenUp));
  }

  /** Who has nothing may be as new as we are. */
  private boolean nobodyElse(long now) {
    return held(now).entrySet().stream()
        .allMatch(entry -> entry.getKey().equals(self) || entry.getValue() == 0);
  }

  /** Given up for somebody who died before it took it. */
  boolean abandoned(Seat seat, long now) {
    return sightings.unheldFor(seat.name(), terms.renew(), now);
  }

  /** Its holder has died without a good-bye. */
  boolean orphaned(Seat seat, long now) {
    return sightings.orphaned(seat.name(), self, now);
  }

  // ---- what the server said

  /** Of one lease, and newer than anything we know of it. */
  void learn(Seat seat, Lease lease, long now) {
    seat.learn(now);
    sightings.see(lease, now);
    if (!lease.heldBy(self)) {
      seat.lost();
    }
  }

  void missing(Seat seat, long now) {
    seat.learn(now);
    sightings.gone(seat.name());
    seat.lost();
  }

  /** Of all leases; of those that we asked for since then, it says nothing new. */
  void survey(List<Lease> leases, long sent, long now) {
    sightings.heard(now);
    Set<String> names = leases.stream().map(Lease::name).collect(Collectors.toSet());
    for (Lease lease : leases) {
      if (believed(lease.name(), sent)) {
        sightings.see(lease, now);
      }
    }
    for (String known : sightings.names()) {
      if (!names.contains(known) && !byName.containsKey(known)) {
        sightings.forget(known);
      } else if (!names.contains(known) && believed(known, sent)) {
        sightings.gone(known);
      }
    }
    shards.stream().filter(seat -> !seat.busy() && !mine(seat)).forEach(Seat::lost);
  }

  private boolean believed(String name, long sent) {
    Seat seat = byName.get(name);
    return seat == null || seat.informedBefore(sent);
  }

  // ---- how many each has

  /** By living replica; what we are about to take counts as ours already. */
  Map<String, Integer> held(long now) {
    Map<String, Integer> held = new HashMap<>();
    held.put(self, 0);
    for (Sighting sighting : sightings.all()) {
      if (living(sighting, now)) {
        held.putIfAbsent(sighting.lease().holder(), 0);
      }
    }
    for (Seat seat : shards) {
      holder(seat).ifPresent(holder -> held.computeIfPresent(holder, (_, count) -> count + 1));
    }
    return held;
  }

  /** The revision at which the youngest replica showed itself: it has known the nodes since. */
  long youngest(long now) {
    return sightings.all().stream()
        .filter(sighting -> living(sighting, now))
        .mapToLong(Sighting::firstRv)
        .max()
        .orElse(0);
  }

  private Optional<String> holder(Seat seat) {
    if (!seat.giving() && (mine(seat) || seat.busy())) {
      return Optional.of(self);
    }
    return sightings.present(seat.name()).map(Lease::holder).filter(name -> !name.equals(self));
  }

  private boolean living(Sighting sighting, long now) {
    return sighting.present()
        && layout.isMember(sighting.lease().name())
        && !sighting.lease().unheld()
        && !sightings.expired(sighting, now);
  }
}
