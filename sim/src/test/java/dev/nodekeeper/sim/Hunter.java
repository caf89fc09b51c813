package dev.nodekeeper.sim;

import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** Inside a {@link ChangedCore}: plays histories until a promise is broken. */
@NullMarked
final class Hunter {
  private Hunter() {}

  /**
   * "histories seed invariant", or null when every promise was kept.
   *
   * @param families by name, in turn
   */
  static @Nullable String hunt(String[] families, int histories) {
    for (int i = 0; i < histories; i++) {
      Family family = Family.valueOf(families[i % families.length]);
      long seed = 1 + i / families.length;
      Violation violation = World.play(Plan.of(family, seed)).violation();
      if (violation != null) {
        return "%6d  %-8s %6d  %s".formatted(i + 1, family, seed, violation.invariant());
      }
    }
    return null;
  }
}
