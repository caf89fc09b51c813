package dev.nodekeeper.sim;

import dev.nodekeeper.core.keep.Role;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.policy.Policy;
import dev.nodekeeper.core.policy.Policy.IdentityBy;
import dev.nodekeeper.core.policy.Policy.OnConflict;
import dev.nodekeeper.sim.Step.Act;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A history before it is played: all of it follows from a family and a seed.
 *
 * @param roles of the replicas
 * @param faults those that may happen in it
 */
record Plan(
    Family family,
    long seed,
    Policy policy,
    List<Role> roles,
    Set<Fault> faults,
    List<Step> steps) {
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
    List<Role> roles = roles(family, random);
    int count = family.minSteps() + random.nextInt(family.maxSteps() - family.minSteps() + 1);
    List<Step> steps = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      boolean people = random.nextInt(100) < 30;
      Act act = people ? Act.PEOPLE : ofReplicas(family, random);
      int who = random.nextInt(people ? family.names() : roles.size());
      steps.add(new Step(act, who, random.nextLong()));
    }
    return new Plan(family, seed, policy, roles, faults, steps);
  }

  private static List<Role> roles(Family family, SplittableRandom random) {
    if (family != Family.ROLES) {
      return Collections.nCopies(family.replicas(), Role.ALL);
    }
    List<Role> roles = new ArrayList<>();
    roles.addAll(Collections.nCopies(1 + random.nextInt(2), Role.CAPTURE));
    roles.addAll(Collections.nCopies(1 + random.nextInt(2), Role.RESTORE));
    return roles;
  }

  private static Act ofReplicas(Family family, SplittableRandom random) {
    boolean shares = family == Family.SHARES && random.nextInt(10) == 0;
    return shares ? Act.SHARE : OF_REPLICAS[random.nextInt(OF_REPLICAS.length)];
  }

  boolean has(Fault fault) {
    return faults.contains(fault);
  }

  Plan with(List<Step> fewer) {
    return new Plan(family, seed, policy, roles, faults, fewer);
  }

  /** What one replica of a mixed set keeps. */
  static Policy taintsOnly(Policy policy) {
    return new Policy(EnumSet.of(Kind.TAINT), List.of(), policy.onConflict(), policy.identity());
  }
}
