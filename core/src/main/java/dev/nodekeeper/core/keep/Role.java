package dev.nodekeeper.core.keep;

/** Which part of the work a process does; one of its own kind shares that with others. */
public enum Role {
  ALL,
  /** Owns every write of a record. */
  CAPTURE,
  /** Reads records and patches nodes. */
  RESTORE;

  boolean captures() {
    return this != RESTORE;
  }

  boolean restores() {
    return this != CAPTURE;
  }
}
