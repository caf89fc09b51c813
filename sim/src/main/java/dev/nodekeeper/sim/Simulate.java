package dev.nodekeeper.sim;

import java.util.Locale;

/**
 * {@code make sim SEED=... FAMILY=...}: plays one history and tells it; a failing one is shrunk.
 */
public final class Simulate {
  private Simulate() {}

  public static void main(String[] args) {
    long seed = Long.parseLong(args[0]);
    Family family = args.length < 2 ? Family.ALL : Family.valueOf(args[1].toUpperCase(Locale.ROOT));
    System.out.println(tell(Plan.of(family, seed)));
  }

  /** The whole history, or the smallest that breaks the same promise. */
  static String tell(Plan plan) {
    Violation violation = World.play(plan).violation();
    Plan told = violation == null ? plan : Shrinker.shrink(plan, violation.invariant());
    Story story = new Story();
    World.play(told, story);
    return "%s, seed %d: %s%n%d of %d steps, faults %s, %s%n%s%n%s"
        .formatted(
            plan.family(),
            plan.seed(),
            violation == null ? "every promise kept" : violation.getMessage(),
            told.steps().size(),
            plan.steps().size(),
            plan.faults(),
            plan.policy(),
            story.text(),
            violation == null ? "" : "again: " + command(plan));
  }

  static String command(Plan plan) {
    return "make sim SEED=" + plan.seed() + " FAMILY=" + plan.family();
  }
}
