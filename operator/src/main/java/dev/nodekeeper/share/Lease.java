package dev.nodekeeper.share;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A Lease as the server showed it.
 *
 * @param holder empty when nobody has it
 * @param seconds how long its holder has it after each renewal; zero when it does not say
 * @param acquired as written; only ever compared for being the same
 * @param renewed likewise: clocks of other hosts are not believed
 * @param document all of it, because what others wrote into it is written back
 */
record Lease(
    String name,
    String uid,
    long rv,
    String holder,
    int seconds,
    int transitions,
    String acquired,
    String renewed,
    ObjectNode document) {

  boolean heldBy(String replica) {
    return holder.equals(replica);
  }

  boolean unheld() {
    return holder.isEmpty();
  }

  /**
   * Not a sign of life since then. NB: not the resourceVersion, or whoever annotates a dead
   * replica's lease would keep it alive.
   */
  boolean sameTerm(Lease other) {
    return uid.equals(other.uid)
        && holder.equals(other.holder)
        && acquired.equals(other.acquired)
        && renewed.equals(other.renewed)
        && transitions == other.transitions;
  }
}
