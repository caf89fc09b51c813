package dev.nodekeeper.cli;

import java.util.Locale;

/** How a command shows its result: a table for people, the rest for programs. */
public enum OutputForm {
  TABLE,
  WIDE,
  JSON,
  YAML,
  NAME;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
