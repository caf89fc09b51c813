package dev.nodekeeper.api;

/** The settings lead to no cluster: a wrong file, an unknown context, nothing at all. */
public final class NoClusterException extends Exception {
  NoClusterException(String message) {
    super(message);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
