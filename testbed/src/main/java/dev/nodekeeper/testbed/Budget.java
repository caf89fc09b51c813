package dev.nodekeeper.testbed;

import java.time.Duration;
import java.util.Locale;

/** How long a search may take: {@code -Dnodekeeper.budget=90s}, {@code 10m} or {@code 1h}. */
public final class Budget {

  private Budget() {}

  public static Duration orElse(String otherwise) {
    var text = System.getProperty("nodekeeper.budget", otherwise);
    return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
  }
}
