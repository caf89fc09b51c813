package dev.nodekeeper.sim;

import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.core.policy.Policy.IdentityBy;
import dev.nodekeeper.core.policy.Policy.OnConflict;
import dev.nodekeeper.sim.Step.Act;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A history before it is played: all of it follows from a family and a seed.
 *
 * @param faults those that may happen in it
 */
record Plan(Family family, long seed, Policy policy, Set<Fault> faults, List<Step> steps) {
  private static final Act[] OF_REPLICAS = {
    Act.NODE_EVENT, Act.NODE_EVENT, Act.NODE_EVENT, Act.RECORD_EVENT, Act.RECORD_EVENT, Act.SEND,
    Act.SEND, Act.REPLY, Act.REPLY, Act.TIME, Act.BOOKMARK, Act.TROUBLE
  };

  /** Each history has only some of the faults of its family, so that each has room. */
  static Plan of(Family family, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    EnumSet<Fault> faults = EnumSet.noneOf(Fault.class);
    family.faults().stream().filter(_ -> random.nextInt(100) < 55).forEach(faults::add);
    Set<Kind> keep =
        random.nextBoolean() ? EnumSet.of(Kind.LABEL, Kind.TAINT) : EnumSet.allOf(Kind.class);
    Policy policy =
        new Policy(
            keep,
            List.of(),
            random.nextInt(4) == 0 ? OnConflict.RECORD : OnConflict.NODE,
            faults.contains(Fault.OTHER_MACHINE) ? IdentityBy.PROVIDER : IdentityBy.NAME);
    int count = family.minSteps() + random.nextInt(family.maxSteps() - family.minSteps() + 1);
    List<Step> steps = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      boolean people = random.nextInt(100) < 30;
      Act act = people ? Act.PEOPLE : OF_REPLICAS[random.nextInt(OF_REPLICAS.length)];
      int who = random.nextInt(people ? family.names() : family.replicas());
      steps.add(new Step(act, who, random.nextLong()));
    }
    return new Plan(family, seed, policy, faults, steps);
  }

  boolean has(Fault fault) {
    return faults.contains(fault);
  }

  Plan with(List<Step> fewer) {
    return new Plan(family, seed, policy, faults, fewer);
  }

  /** What one replica of a mixed set keeps. */
  static Policy taintsOnly(Policy policy) {
    return new Policy(EnumSet.of(Kind.TAINT), List.of(), policy.onConflict(), policy.identity());
  }
}
