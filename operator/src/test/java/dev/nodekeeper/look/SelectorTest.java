package dev.nodekeeper.look;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Selectors mean what they mean to kubectl")
final class SelectorTest {
  private static final Map<String, String> LABELS = Map.of("team", "vision", "a.b/c", "");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "team=vision | true",
        "team==vision | true",
        "team = audio | false",
        "team!=audio | true",
        "other!=audio | true",
        "other=audio | false",
        "a.b/c= | true",
        "team | true",
        "!team | false",
        "!other | true",
        "team in (audio, vision) | true",
        "team notin (audio,vision) | false",
        "other notin (audio) | true",
        "other in (audio) | false",
        "team in (vision),a.b/c,!x | true",
        "team in (vision),x | false",
        "'' | true"
      })
  void means(String text, boolean fits) {
    assertThat(Selector.parse(text).matches(LABELS)).isEqualTo(fits);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a=b=c", "=x", "a in b", "a,", "a b", "(a)", "a>1"})
  void refused(String text) {
    assertThatThrownBy(() -> Selector.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
