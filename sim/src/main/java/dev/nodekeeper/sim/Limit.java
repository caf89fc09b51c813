package dev.nodekeeper.sim;

/** The known limits of the design: each excuses one key of one name, until its next word. */
enum Limit {
  UNSEEN("an edit that no living replica saw from its node's registration on, not captured"),
  ONLOOKERS("the same, seen by those alone that only restore"),
  HIDDEN("changed in this life, and unchanged to a replica that started or re-listed since"),
  STRIPPED("restored, and the marker taken off before a replica that found the node could see it"),
  TESTED_PATCH("set and unset while a patch that tests single keys was on its way"),
  FORGET_ON_ITS_WAY("a create or a restore was sent before the deletion was delivered"),
  TWO_HAND_EDITS("two hand edits that we saw as one: edited on the node in between, or undone"),
  VERSIONS_GONE("five newer versions came before the last state of a life, or after a restore"),
  NARROW("a process that keeps less captured the same revision, or restored over an older value"),
  DOUBTED_VALUE("a reserved label in doubt, of which the node already has an older value"),
  BLIND_WRITE("swept away by a kubectl taint that had not seen it"),
  LATE("written by a replica that was behind for more than seven minutes after the node's end"),
  CLEANED_UP("a create, or the end of a life, that arrives after the clean-up of an empty record"),
  TAINTS_FIRST("a taint that we sent first, from a record that changed before the rest landed"),
  KUBELET_FIRST("a kubelet's own value of a taint whose last word was not in the record yet");

  private final String meaning;

  Limit(String meaning) {
    this.meaning = meaning;
  }

  String meaning() {
    return meaning;
  }
}
