package dev.nodekeeper.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes results down: JSON for programs, a table with plots for people. */
public final class Report {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Report() {}

  /**
   * Everything under names that begin with the stem.
   *
   * @return the table's file
   */
  public static Path write(Results results, Path folder, String stem, String title) {
    try {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve(stem + ".json"), json(results));
      for (var plot : results.plots()) {
        Files.writeString(folder.resolve(stem + "-" + plot.name() + ".svg"), plot.svg());
      }
      for (var profile : results.profiles().entrySet()) {
        Path file = folder.resolve(stem + "-" + profile.getKey() + "-profile.txt");
        Files.writeString(file, profile.getValue());
      }
      Path table = folder.resolve(stem + ".md");
      return Files.writeString(table, markdown(results, stem, title));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String json(Results results) throws IOException {
    Map<String, Object> all = new LinkedHashMap<>(results.facts());
    all.put("figures", results.figures());
    all.put("requests", results.requests());
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(all) + "\n";
  }

  private static String markdown(Results results, String stem, String title) {
    var facts =
        results.facts().entrySet().stream()
            .map(fact -> fact.getKey() + ": " + fact.getValue())
            .collect(Collectors.joining("; "));
    var rows = results.figures().stream().map(Figure::row).collect(Collectors.joining("\n"));
    var plots =
        results.plots().stream()
            .map(plot -> "![%s](%s-%s.svg)".formatted(plot.title(), stem, plot.name()))
            .collect(Collectors.joining("\n"));
    return """
        # %s

        %s

        Goals are those for 100,000 nodes.

        | figure | goal | measured | ratio | |
        |---|---|---|---|---|
        %s

        %s
        """
        .formatted(title, facts, rows, plots);
  }
}
