package dev.nodekeeper.share;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whether we may not share at all. Leases only save work, so a replica that may not use them works
 * on everything rather than on nothing.
 */
final class Solitude {
  /** NB: a starting API server refuses everybody until it has read its roles. */
  private static final long PATIENCE = Duration.ofSeconds(2).toNanos();

  /** A refusal that was not repeated says nothing any more, for example when nothing is free. */
  private static final long MEMORY = Duration.ofSeconds(15).toNanos();

  private final Map<String, Refusal> byVerb = new HashMap<>();

  private record Refusal(long first, long last, String why) {}

  void refused(Task task, String why, long now) {
    byVerb.merge(
        task.verb(),
        new Refusal(now, now, why),
        (old, fresh) -> new Refusal(old.first(), fresh.last(), fresh.why()));
  }

  void worked(Task task) {
    byVerb.remove(task.verb());
  }

  /** Why we are alone; empty when we share. */
  Optional<String> reason(long now) {
    byVerb.values().removeIf(refusal -> now - refusal.last() > MEMORY);
    return new TreeMap<>(byVerb)
        .values().stream()
            .filter(refusal -> refusal.last() - refusal.first() >= PATIENCE)
            .map(Refusal::why)
            .findFirst();
  }
}
