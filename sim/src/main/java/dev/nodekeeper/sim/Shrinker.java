package dev.nodekeeper.sim;

import java.util.ArrayList;
import java.util.List;

/** Leaves out whatever a failing history does not need to break the same promise. */
final class Shrinker {
  private final Invariant broken;
  private Plan plan;

  private Shrinker(Plan plan, Invariant broken) {
    this.plan = plan;
    this.broken = broken;
  }

  static Plan shrink(Plan plan, Invariant broken) {
    Shrinker shrinker = new Shrinker(plan, broken);
    shrinker.shrink();
    return shrinker.plan;
  }

  private void shrink() {
    int before;
    do {
      before = plan.steps().size();
      for (int chunk = Math.max(1, before / 2); chunk >= 1; chunk /= 2) {
        leaveOut(chunk);
      }
    } while (plan.steps().size() < before);
  }

  /** From the end: what comes last depends least on the rest. */
  private void leaveOut(int chunk) {
    for (int from = plan.steps().size() - chunk; from >= 0; from -= chunk) {
      List<Step> fewer = new ArrayList<>(plan.steps());
      fewer.subList(from, Math.min(fewer.size(), from + chunk)).clear();
      Plan smaller = plan.with(fewer);
      Violation violation = World.play(smaller).violation();
      if (violation != null && violation.invariant() == broken) {
        plan = smaller;
      }
    }
  }
}
