package dev.nodekeeper.core.decide;

import static dev.nodekeeper.core.Given.annotation;
import static dev.nodekeeper.core.Given.things;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.core.Given;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What fits into a record, to the byte")
class SizeTest {
  private static final int ROOM = 480_000 - 64 - "a".length();

  @ParameterizedTest(name = "U+{0} costs {1}")
  @CsvSource({"1F, 6", "20, 1", "22, 2", "5C, 2", "61, 1", "7F, 1", "80, 2", "7FF, 2", "800, 3"})
  @DisplayName("a character costs what it costs as JSON inside JSON")
  void characters(String hex, int cost) {
    String text = Character.toString(Integer.parseInt(hex, 16)).repeat(ROOM / cost);
    String full = text + "x".repeat(ROOM % cost);
    assertThat(Size.fit(annotated(full).content()).dropped()).isEmpty();
    assertThat(Size.fit(annotated(full + "x").content()).dropped())
        .containsExactly(annotation("a"));
  }

  private static Given.Things annotated(String value) {
    return things().annotation("a", value);
  }
}
