package dev.nodekeeper.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.decide.Decision.Cause;
import dev.nodekeeper.core.decide.Decision.Why;
import dev.nodekeeper.sim.ChangedCore.Change;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which rows of the decision table the histories reach, and beside which faults. */
@NullMarked
@DisplayName("The histories cover")
class CoverageTest {
  private static final int HISTORIES = 1_500;

  /** Told by a core that tells its decisions. */
  private static final List<Change> TELLING =
      List.of(
          new Change(
              "keep/Desk.java",
              "final class Desk {\n",
              "final class Desk {\n"
                  + "  static java.util.function.Consumer<Object> seen = d -> {};\n"),
          new Change(
              "keep/Desk.java",
              "    Decision decision = Decider.decide(view, slot.record(), policy);\n",
              "    Decision decision = Decider.decide(view, slot.record(), policy);\n"
                  + "    seen.accept(decision);\n"));

  @Test
  @DisplayName("every row of the decision table, and every fault")
  @SuppressWarnings("unchecked")
  void rowsAndFaults() throws IOException {
    ChangedCore core = ChangedCore.with("telling", TELLING);
    Map<String, Map<String, Integer>> table =
        (Map<String, Map<String, Integer>>) core.call(Hunter.class, "coverage", HISTORIES);
    print(table);
    List<String> rows =
        new ArrayList<>(List.of("Inert", "ReadRecord", "Restore", "Restore withheld"));
    Arrays.stream(Why.values()).forEach(why -> rows.add("Nothing " + why));
    Arrays.stream(Cause.values()).forEach(cause -> rows.add("Write " + cause));
    assertThat(table.keySet()).as("rows").containsAll(rows);
    Map<String, Integer> faults = new TreeMap<>();
    table.values().forEach(faults::putAll);
    assertThat(faults.keySet())
        .as("faults")
        .containsAll(Arrays.stream(Fault.values()).map(Fault::name).toList());
  }

  private static void print(Map<String, Map<String, Integer>> table) {
    List<String> rows = List.copyOf(table.keySet());
    for (int i = 0; i < rows.size(); i++) {
      System.out.printf("%3d %s%n", i + 1, rows.get(i));
    }
    StringBuilder text = new StringBuilder("%-20s".formatted("histories with both"));
    for (int i = 0; i < rows.size(); i++) {
      text.append("%6d".formatted(i + 1));
    }
    for (Fault fault : Fault.values()) {
      text.append("%n%-20s".formatted(fault));
      table
          .values()
          .forEach(row -> text.append("%6d".formatted(row.getOrDefault(fault.name(), 0))));
    }
    System.out.println(text);
  }
}
