package dev.nodekeeper.share;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What we saw of each lease, and since when it has been so on our own clock: the only way to tell
 * that its holder is gone without believing another host's time.
 */
final class Sightings {
  private final Terms terms;
  private final Map<String, Sighting> byName = new HashMap<>();
  private long heard;
  private boolean listened;

  Sightings(Terms terms) {
    this.terms = terms;
  }

  /**
   * @param since when we first saw this term
   * @param present false when the lease is deleted: then it is what it was before
   * @param firstRv its revision when we first saw it
   */
  record Sighting(Lease lease, long since, boolean present, long firstRv) {
    Sighting since(long other) {
      return new Sighting(lease, other, present, firstRv);
    }
  }

  /**
   * A survey came in. Nobody can renew while the server does not answer, and a frozen process must
   * not wake up as the heir of all, so a long silence counts only in part.
   */
  void heard(long now) {
    if (listened) {
      byName.replaceAll((name, old) -> old.since(counted(old.since(), now)));
    }
    heard = now;
    listened = true;
  }

  /** The beginning of a term, later by the silence that does not count. */
  private long counted(long since, long now) {
    long silence = now - (since - heard > 0 ? since : heard);
    return since + Math.max(0, silence - terms.unheard());
  }

  /**
   * From now on we also see what happens to the nodes. Who did not is no heir: what a dead one had
   * still to write, those know who were there.
   */
  void begin(long now) {
    byName.replaceAll((name, old) -> old.since(now));
  }

  /** Whether we know anything at all. */
  boolean begun() {
    return listened;
  }

  /** Whether what we know is from just now; without, nobody is declared dead. */
  boolean recent(long now) {
    return listened && now - heard < terms.unheard();
  }

  void see(Lease lease, long now) {
    Sighting old = byName.get(lease.name());
    long since = old != null && old.lease().sameTerm(lease) ? old.since() : now;
    long first = old != null && old.lease().uid().equals(lease.uid()) ? old.firstRv() : lease.rv();
    byName.put(lease.name(), new Sighting(lease, since, true, first));
  }

  /** Deleted. Its holder is remembered: a deleted lease is no sign that somebody stopped. */
  void gone(String name) {
    byName.computeIfPresent(
        name, (_, old) -> new Sighting(old.lease(), old.since(), false, old.firstRv()));
  }

  void forget(String name) {
    byName.remove(name);
  }

  Set<String> names() {
    return Set.copyOf(byName.keySet());
  }

  Collection<Sighting> all() {
    return byName.values();
  }

  Optional<Lease> present(String name) {
    Sighting sighting = byName.get(name);
    return sighting == null || !sighting.present()
        ? Optional.empty()
        : Optional.of(sighting.lease());
  }

  boolean heldBy(String name, String replica) {
    return present(name).filter(lease -> lease.heldBy(replica)).isPresent();
  }

  /** Nobody else can believe to have it. */
  boolean free(String name, String self, long now) {
    Sighting sighting = byName.get(name);
    return sighting == null
        || sighting.lease().unheld()
        || sighting.lease().heldBy(self)
        || expired(sighting, now);
  }

  /** Somebody else had it, and did not give it up. */
  boolean orphaned(String name, String self, long now) {
    Sighting sighting = byName.get(name);
    return sighting != null
        && !sighting.lease().unheld()
        && !sighting.lease().heldBy(self)
        && expired(sighting, now);
  }

  /**
   * Given up, and not taken since.
   *
   * @param after for so long, as far as we have seen
   */
  boolean unheldFor(String name, long after, long now) {
    Sighting sighting = byName.get(name);
    return sighting != null
        && sighting.present()
        && sighting.lease().unheld()
        && now - sighting.since() >= after;
  }

  /** The revision at which somebody gave it up; zero when nobody did. */
  long givenUpAt(String name) {
    return present(name).filter(Lease::unheld).map(Lease::rv).orElse(0L);
  }

  /** Whether we have seen it at an older revision. */
  boolean shown(String name, long before) {
    Sighting sighting = byName.get(name);
    return sighting != null && sighting.firstRv() < before;
  }

  boolean expired(Sighting sighting, long now) {
    int seconds = sighting.lease().seconds();
    long own = seconds > 0 ? Duration.ofSeconds(seconds).toNanos() : terms.lease();
    return now - sighting.since() >= Math.min(own, terms.longest());
  }
}
