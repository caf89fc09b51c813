package dev.nodekeeper.core.model;

/** How a node and its record stand to each other. */
public enum State {
  IN_STEP("in step"),
  TO_BE_RESTORED("to be restored"),
  TO_BE_CAPTURED("to be captured"),
  AWAY("away"),
  LEAVING("leaving"),
  UNREADABLE("unreadable"),
  NOTHING_TO_KEEP("nothing to keep");

  private final String word;

  State(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }

  /** For programs. */
  public String id() {
    return word.replace(' ', '-');
  }

  /** Something is still to be done, by the controller or by a person. */
  public boolean pending() {
    return switch (this) {
      case TO_BE_RESTORED, TO_BE_CAPTURED, UNREADABLE -> true;
      case IN_STEP, AWAY, LEAVING, NOTHING_TO_KEEP -> false;
    };
  }
}
