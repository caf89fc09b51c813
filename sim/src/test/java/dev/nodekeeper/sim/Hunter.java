package dev.nodekeeper.sim;

import dev.nodekeeper.core.decide.Decision;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** Inside a {@link ChangedCore}: plays histories and tells of them in plain words. */
@NullMarked
final class Hunter {
  private Hunter() {}

  /**
   * How many histories it took, seed and invariant; null when every promise was kept.
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

  /** How many histories had both, by decision and by fault. */
  static Map<String, Map<String, Integer>> coverage(int histories)
      throws ReflectiveOperationException {
    Set<String> decisions = new TreeSet<>();
    Field seen = Class.forName("dev.nodekeeper.core.keep.Desk").getDeclaredField("seen");
    seen.setAccessible(true);
    seen.set(null, (Consumer<Object>) decision -> decisions.add(row((Decision) decision)));
    Map<String, Map<String, Integer>> table = new TreeMap<>();
    Family[] families = Family.values();
    for (int i = 0; i < histories; i++) {
      decisions.clear();
      World.Result result = World.play(Plan.of(families[i % families.length], i));
      for (String row : decisions) {
        Map<String, Integer> counts = table.computeIfAbsent(row, _ -> new TreeMap<>());
        result.happened().forEach(fault -> counts.merge(fault.name(), 1, Integer::sum));
      }
    }
    return table;
  }

  private static String row(Decision decision) {
    return switch (decision) {
      case Decision.Nothing(var why) -> "Nothing " + why;
      case Decision.Inert _ -> "Inert";
      case Decision.ReadRecord _ -> "ReadRecord";
      case Decision.Write write -> "Write " + write.cause();
      case Decision.Restore restore ->
          restore.withheld().isEmpty() ? "Restore" : "Restore withheld";
    };
  }
}
