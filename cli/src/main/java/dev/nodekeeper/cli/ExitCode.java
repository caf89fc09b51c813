package dev.nodekeeper.cli;

/** What the program says to a script; listed in its help. */
public final class ExitCode {
  public static final int OK = 0;
  public static final int FAILED = 1;
  public static final int BAD_USAGE = 2;
  public static final int NOT_FOUND = 3;

  /** Done, and it shows something that is still to be done. */
  public static final int ATTENTION = 4;

  private ExitCode() {}
}
