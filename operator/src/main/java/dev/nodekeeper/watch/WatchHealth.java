package dev.nodekeeper.watch;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Whether one watch can be believed: listed once, and connected or cut only briefly. */
public final class WatchHealth {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Far longer than any request, pause or silence that it allows itself. */
  private static final Duration DEAD = Duration.ofMinutes(10);

  private final String resource;
  private final LongSupplier nanos;
  private volatile boolean listed;
  private volatile State state;
  private volatile long heardNanos;
  private volatile long turnNanos;

  /** One value, so that readers never see half of a change. */
  private record State(boolean connected, long sinceNanos, String problem) {}

  public WatchHealth(String resource, LongSupplier nanos) {
    this.resource = resource;
    this.nanos = nanos;
    this.state = new State(false, nanos.getAsLong(), "not tried yet");
    this.heardNanos = nanos.getAsLong();
    this.turnNanos = heardNanos;
  }

  void listed() {
    heard();
    listed = true;
  }

  void connected() {
    heard();
    if (!state.connected()) {
      state = new State(true, nanos.getAsLong(), "");
    }
  }

  void heard() {
    heardNanos = nanos.getAsLong();
    turnNanos = heardNanos;
  }

  void broken(String problem) {
    turnNanos = nanos.getAsLong();
    State old = state;
    state = new State(false, old.connected() ? nanos.getAsLong() : old.sinceNanos(), problem);
  }

  public String resource() {
    return resource;
  }

  public boolean isListed() {
    return listed;
  }

  /** Seconds since the server was last heard of. */
  public double age() {
    return (nanos.getAsLong() - heardNanos) / 1e9;
  }

  /** Why we are not ready; empty when we are. */
  public Optional<String> problem() {
    State now = state;
    if (!isListed()) {
      return Optional.of("the " + resource + " are not listed yet: " + reason(now));
    }
    long broken = nanos.getAsLong() - now.sinceNanos();
    if (!now.connected() && broken > PATIENCE.toNanos()) {
      return Optional.of(
          "the watch of the %s has been broken for %d s: %s"
              .formatted(resource, Duration.ofNanos(broken).toSeconds(), now.problem()));
    }
    return Optional.empty();
  }

  /**
   * Why only a restart helps: a server that does not answer is tried again for ever, but somebody
   * must do that.
   */
  public Optional<String> death() {
    long silent = nanos.getAsLong() - turnNanos;
    return silent > DEAD.toNanos()
        ? Optional.of(
            "nobody has watched the %s for %d s"
                .formatted(resource, Duration.ofNanos(silent).toSeconds()))
        : Optional.empty();
  }

  private static String reason(State now) {
    return now.problem().isEmpty() ? "under way" : now.problem();
  }
}
