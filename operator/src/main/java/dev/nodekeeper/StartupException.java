package dev.nodekeeper;

/** We cannot start, for a reason that only a person can remove. */
public final class StartupException extends Exception {
  StartupException(String message, Throwable cause) {
    super(message, cause);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
