package dev.nodekeeper.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What we ship")
final class LicencesIT {
  @Test
  @DisplayName("is what docs/licences.md lists: no jar comes in, or changes, unseen")
  void listed() throws IOException {
    Set<String> shipped;
    try (var jars = Files.list(Path.of("target", "app", "lib"))) {
      shipped =
          jars.map(jar -> jar.getFileName().toString())
              .filter(name -> !name.startsWith("nodekeeper-"))
              .collect(Collectors.toCollection(TreeSet::new));
    }
    List<String> page = Files.readAllLines(Path.of("..", "docs", "licences.md"));
    Set<String> listed =
        page.stream()
            .filter(line -> line.matches("\\| \\S+\\.jar \\| \\S.* \\|"))
            .map(line -> line.split(" ")[1])
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(shipped).isNotEmpty().isEqualTo(listed);
  }
}
