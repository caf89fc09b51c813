package dev.nodekeeper.sim;

/**
 * One step of a history. Its dice are its own, so that another step can be left out without
 * changing it.
 *
 * @param who the number of a replica, or of a node name
 */
record Step(Act act, int who, long dice) {

  /** What moves on. */
  enum Act {
    PEOPLE,
    NODE_EVENT,
    RECORD_EVENT,
    SEND,
    REPLY,
    TIME,
    BOOKMARK,
    TROUBLE,
    SHARE
  }
}
