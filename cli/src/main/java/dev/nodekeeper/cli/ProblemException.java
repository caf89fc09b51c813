package dev.nodekeeper.cli;

/** What went wrong, for a person: what, where, and what to do. Its trace is of no interest. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  public ProblemException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  public static ProblemException failed(String message) {
    return new ProblemException(ExitCode.FAILED, message);
  }

  public int exitCode() {
    return exitCode;
  }
}
