package dev.nodekeeper.sim;

/** What a history may contain beside plain edits, deletions, returns and lag. */
enum Fault {
  REQUEST_LOST("a request is cut before it arrives"),
  REPLY_LOST("a request is performed, its reply is cut"),
  LATE_COMMIT("a request times out, or its sender dies, and it lands later"),
  REFUSED("403 or 422: the API server refuses a request"),
  THROTTLED("429 with a retry-after"),
  CONFLICT("somebody writes to the node just before our patch arrives"),
  CRASH("a replica dies and starts again"),
  WATCH_CUT("410, or a watch that is silent for too long: a new list, events in between are lost"),
  REPLAYED("a watch shows events again"),
  COALESCED("DELETED is missing: a new uid arrives as MODIFIED"),
  PAUSED("a replica stands still for minutes, then goes on where it was"),
  TIME_JUMP("the clock of one replica leaps ahead"),
  TERMINATING("a node is deleted slowly, behind a finalizer"),
  HAND_EDIT("a person edits or makes a record"),
  ALIEN_KEYS("a person writes keys into a record that no node may get from us"),
  FORGET("a person deletes a record"),
  BROKEN_RECORD("a person breaks a record, and repairs or deletes it later"),
  MARKER_STRIPPED("somebody takes our marker off a node"),
  MARKER_FORGED("a kubelet writes a marker of its own, or one that it saw before"),
  KUBELET_LABEL("a kubelet registers with a label of its own"),
  KUBELET_TAINT("a kubelet registers with its own value of a taint that the record has"),
  BLIND_TAINTS("kubectl taint writes the whole list as it was a while ago"),
  OTHER_MACHINE("another machine under the old name; or it says late who it is"),
  MIXED_POLICY("one replica keeps taints only"),
  HISTORY_RESET("etcd is restored from a backup: revisions go back");

  private final String meaning;

  Fault(String meaning) {
    this.meaning = meaning;
  }

  String meaning() {
    return meaning;
  }
}
