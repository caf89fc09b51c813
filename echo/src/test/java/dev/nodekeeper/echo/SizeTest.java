package dev.nodekeeper.echo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An example is read to its end only while it is short")
final class SizeTest {

  @Test
  @DisplayName("less than 600 lines of code; imports, comments and blank lines are free")
  void size() throws IOException {
    try (var files = Files.walk(Path.of("src/main/java"))) {
      var lines =
          files.filter(Files::isRegularFile).flatMap(SizeTest::code).filter(SizeTest::counts);
      assertThat(lines.count()).isBetween(100L, 599L);
    }
  }

  private static Stream<String> code(Path file) {
    try {
      return Files.readAllLines(file).stream().map(String::strip);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean counts(String line) {
    return !line.isEmpty()
        && Stream.of("import ", "package ", "/*", "*", "//").noneMatch(line::startsWith);
  }
}
