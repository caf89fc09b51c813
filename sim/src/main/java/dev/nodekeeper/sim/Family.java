package dev.nodekeeper.sim;

import static dev.nodekeeper.sim.Fault.ALIEN_KEYS;
import static dev.nodekeeper.sim.Fault.BLIND_TAINTS;
import static dev.nodekeeper.sim.Fault.BROKEN_RECORD;
import static dev.nodekeeper.sim.Fault.COALESCED;
import static dev.nodekeeper.sim.Fault.CONFLICT;
import static dev.nodekeeper.sim.Fault.CRASH;
import static dev.nodekeeper.sim.Fault.FORGET;
import static dev.nodekeeper.sim.Fault.HAND_EDIT;
import static dev.nodekeeper.sim.Fault.HISTORY_RESET;
import static dev.nodekeeper.sim.Fault.KUBELET_LABEL;
import static dev.nodekeeper.sim.Fault.KUBELET_TAINT;
import static dev.nodekeeper.sim.Fault.LATE_COMMIT;
import static dev.nodekeeper.sim.Fault.MARKER_FORGED;
import static dev.nodekeeper.sim.Fault.MARKER_STRIPPED;
import static dev.nodekeeper.sim.Fault.MIXED_POLICY;
import static dev.nodekeeper.sim.Fault.OTHER_MACHINE;
import static dev.nodekeeper.sim.Fault.PAUSED;
import static dev.nodekeeper.sim.Fault.REFUSED;
import static dev.nodekeeper.sim.Fault.REPLAYED;
import static dev.nodekeeper.sim.Fault.REPLY_LOST;
import static dev.nodekeeper.sim.Fault.REQUEST_LOST;
import static dev.nodekeeper.sim.Fault.TERMINATING;
import static dev.nodekeeper.sim.Fault.THROTTLED;
import static dev.nodekeeper.sim.Fault.TIME_JUMP;
import static dev.nodekeeper.sim.Fault.WATCH_CUT;

import java.util.EnumSet;
import java.util.Set;

/** Histories of a kind. */
enum Family {
  PLAIN("one replica, nothing lost", 1, 1, EnumSet.of(KUBELET_LABEL, TERMINATING, CONFLICT)),
  ALONE(
      "one replica that restarts",
      1,
      1,
      EnumSet.of(
          CRASH, WATCH_CUT, REQUEST_LOST, REPLY_LOST, LATE_COMMIT, KUBELET_LABEL, TERMINATING)),
  PAIR(
      "two replicas on a bad wire",
      2,
      1,
      EnumSet.of(
          REQUEST_LOST,
          REPLY_LOST,
          LATE_COMMIT,
          REFUSED,
          THROTTLED,
          CONFLICT,
          REPLAYED,
          COALESCED,
          PAUSED,
          TIME_JUMP,
          TERMINATING)),
  DYING(
      "replicas that die with requests on their way",
      2,
      1,
      EnumSet.of(CRASH, LATE_COMMIT, REQUEST_LOST, REPLY_LOST, PAUSED)),
  RECORDS(
      "records edited, broken and forgotten by people",
      2,
      1,
      EnumSet.of(
          HAND_EDIT,
          ALIEN_KEYS,
          BROKEN_RECORD,
          FORGET,
          REQUEST_LOST,
          REPLY_LOST,
          CRASH,
          WATCH_CUT)),
  HOSTILE(
      "kubelets that lie",
      2,
      1,
      EnumSet.of(
          MARKER_STRIPPED,
          MARKER_FORGED,
          KUBELET_LABEL,
          KUBELET_TAINT,
          OTHER_MACHINE,
          BLIND_TAINTS,
          HAND_EDIT,
          CRASH,
          REPLY_LOST)),
  MIXED(
      "replicas with different policies",
      3,
      1,
      EnumSet.of(MIXED_POLICY, OTHER_MACHINE, REPLY_LOST, CONFLICT, CRASH, WATCH_CUT, HAND_EDIT)),
  RESET(
      "an etcd that is restored from a backup",
      2,
      2,
      EnumSet.of(HISTORY_RESET, CRASH, REPLY_LOST, LATE_COMMIT, HAND_EDIT, FORGET)),
  ROLES(
      "one or two processes that only capture, one or two that only restore",
      4,
      1,
      EnumSet.complementOf(EnumSet.of(MIXED_POLICY, HISTORY_RESET))),
  SHARES(
      "three replicas that share the nodes, with overlaps and gaps",
      3,
      2,
      EnumSet.of(
          CRASH,
          WATCH_CUT,
          REQUEST_LOST,
          REPLY_LOST,
          LATE_COMMIT,
          CONFLICT,
          PAUSED,
          TIME_JUMP,
          REPLAYED,
          COALESCED,
          HAND_EDIT,
          FORGET,
          TERMINATING)),
  ALL("three replicas, two names, everything", 3, 2, EnumSet.allOf(Fault.class));

  private final String meaning;
  private final int replicas;
  private final int names;
  private final Set<Fault> faults;

  Family(String meaning, int replicas, int names, Set<Fault> faults) {
    this.meaning = meaning;
    this.replicas = replicas;
    this.names = names;
    this.faults = faults;
  }

  String meaning() {
    return meaning;
  }

  int replicas() {
    return replicas;
  }

  int names() {
    return names;
  }

  Set<Fault> faults() {
    return faults;
  }

  int minSteps() {
    return this == ALL || this == ROLES || this == SHARES ? 50 : 20;
  }

  int maxSteps() {
    return 120;
  }
}
