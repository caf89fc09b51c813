package dev.nodekeeper.core.model;

import java.util.Locale;

/** How a node and its record stand to each other: the same words in metrics, commands and pages. */
public enum State {
  /** They agree, or there is nothing to keep. */
  CURRENT,
  /** The record does not say yet what the node says, or said when it was deleted. */
  PENDING_CAPTURE,
  /** The node lacks what its record says. */
  PENDING_RESTORE,
  /** Something is to be done and cannot be: an API server that says no, a bad record, a fight. */
  REFUSED,
  /** There is a record, but no node. */
  AWAY;

  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Something is still to be done, by the controller or by a person. */
  public boolean pending() {
    return switch (this) {
      case PENDING_CAPTURE, PENDING_RESTORE, REFUSED -> true;
      case CURRENT, AWAY -> false;
    };
  }
}
