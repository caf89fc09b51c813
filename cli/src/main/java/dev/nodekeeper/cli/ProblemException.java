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

  public static ProblemException noRecord(String node) {
    return new ProblemException(
        ExitCode.NOT_FOUND, "there is no record of node %s".formatted(node));
  }

  public int exitCode() {
    return exitCode;
  }
}
