package dev.nodekeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** The flag {@code -o}, and what follows from it. */
final class Output {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      description = "How to show it: ${COMPLETION-CANDIDATES}.")
  private OutputForm form = OutputForm.TABLE;

  OutputForm form() {
    return form;
  }

  /**
   * Prints one result in the form that was asked for.
   *
   * @param table as wide as {@link #form} says
   * @param names one line each
   */
  void print(
      Screen screen,
      Supplier<List<String>> table,
      Supplier<JsonNode> json,
      Supplier<List<String>> names) {
    switch (form) {
      case TABLE, WIDE -> table.get().forEach(screen::line);
      case JSON -> screen.line(json.get().toPrettyString());
      case YAML -> screen.text(Yaml.write(json.get()));
      case NAME -> names.get().forEach(screen::line);
    }
  }
}
