package dev.nodekeeper.config;

import java.util.List;

/** Everything that is wrong with the settings, at once. */
public final class InvalidSettingsException extends Exception {
  private final List<String> violations;

  InvalidSettingsException(List<String> violations) {
    super("Settings that cannot be used:\n  " + String.join("\n  ", violations));
    this.violations = List.copyOf(violations);
  }

  /** One sentence each: where, what, and what is allowed. */
  public List<String> violations() {
    return violations;
  }
}
