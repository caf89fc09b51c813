package dev.nodekeeper.sim;

import org.jspecify.annotations.Nullable;

/** An invariant does not hold. */
final class Violation extends AssertionError {
  private static final long serialVersionUID = 1;

  private final Invariant invariant;

  Violation(Invariant invariant, String what, @Nullable Throwable cause) {
    super(invariant + " (" + invariant.meaning() + "): " + what, cause);
    this.invariant = invariant;
  }

  Invariant invariant() {
    return invariant;
  }
}
