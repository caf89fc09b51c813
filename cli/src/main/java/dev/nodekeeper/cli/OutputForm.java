package dev.nodekeeper.cli;

import java.util.Locale;

/** How a command shows its result. */
enum OutputForm {
  TEXT,
  JSON;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
