package dev.nodekeeper.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A key pattern")
class KeyPatternsTest {

  @ParameterizedTest(name = "{0} on {1}: {2}")
  @DisplayName("matches the whole key, a star standing for any run of characters")
  @CsvSource({
    // exact
    "a.io/x, a.io/x, true",
    "a.io/x, a.io/xy, false",
    "a.io/x, a.io/X, false",
    "bare, bare, true",
    "bare, a.io/bare, false",
    // everything under a prefix
    "a.io/*, a.io/x, true",
    "a.io/*, a.io/, true",
    "a.io/*, a.io, false",
    "a.io/*, b.a.io/x, false",
    "a.io/*, aa.io/x, false",
    "a.io/*, a.io/x/y, true",
    // everything at the end
    "*agent-not-ready, node.cilium.io/agent-not-ready, true",
    "*agent-not-ready, agent-not-ready, true",
    "*agent-not-ready, agent-not-ready-yet, false",
    // the start of a name
    "a.io/gpu.*, a.io/gpu.count, true",
    "a.io/gpu.*, a.io/gpu., true",
    "a.io/gpu.*, a.io/gpu, false",
    "a.io/gpu.*, a.io/gpu-x, false",
    // a star at both ends
    "*.f.io/*, x.f.io/y, true",
    "*.f.io/*, .f.io/, true",
    "*.f.io/*, f.io/y, false",
    "*.f.io/*, x.f.io, false",
    "*.f.io/*, x.f.com/y, false",
    // a star in the middle must not use a character twice
    "ab*ba, abba, true",
    "ab*ba, aba, false",
    "a*b*c, abc, true",
    "a*b*c, aXbYc, true",
    "a*b*c, acb, false",
    "a*bc*c, abc, false",
    "a*bc*c, abcbcc, true",
    "*a*b, xaxab, true",
    "*aa*aa, aaa, false",
  })
  void matches(String pattern, String key, boolean expected) {
    assertThat(KeyPatterns.of("test", List.of(pattern)).matches(key)).isEqualTo(expected);
  }

  @Test
  @DisplayName("is one of many: a key matches the list when it matches any line")
  void anyLine() {
    KeyPatterns patterns =
        KeyPatterns.of("test", List.of("# heading", "", "  exact  ", "p.io/*", "*-end"));

    assertThat(List.of("exact", "p.io/x", "q.io/the-end")).allMatch(patterns::matches);
    assertThat(List.of("", "# heading", "p.io", "end")).noneMatch(patterns::matches);
  }

  @Test
  @DisplayName("matches nothing when the list is empty")
  void empty() {
    assertThat(KeyPatterns.of("test", List.of()).matches("")).isFalse();
  }

  @Test
  @DisplayName("answers at once for a key built to make a backtracking matcher hang")
  void noBacktracking() {
    KeyPatterns patterns = KeyPatterns.of("test", List.of("*a*a*a*a*a*a*a*a*a*a*a*a*b"));

    assertThat(patterns.matches("a".repeat(100_000))).isFalse();
    assertThat(patterns.matches("a".repeat(100_000) + "b")).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("that is malformed is refused with file, line and reason")
  @CsvSource(
      delimiter = '|',
      value = {
        "a.io/x y | one pattern",
        "a.io/x # why | one pattern",
        "a.io/x/* | more than one '/'",
        "/x | both sides",
        "a.io/ | both sides",
        "* | every key",
        "*/* | every key",
        "a.io/** | two '*'",
        "a.io/x=y | '='",
        "a.io/[ab] | '['",
        "a.io/é | 'é'",
      })
  void malformed(String line, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeyPatterns.of("mine.txt", List.of("# ok", "fine", line)))
        .withMessageStartingWith("mine.txt:3: '" + line + "'")
        .withMessageContaining(reason);
  }

  @ParameterizedTest
  @DisplayName("list is found by its file name")
  @ValueSource(strings = {"facts.txt", "passing-taints.txt", "machine-annotations.txt"})
  void resource(String file) {
    assertThat(KeyPatterns.resource(file).matches("example.com/team")).isFalse();
  }

  @Test
  @DisplayName("list that does not exist is named")
  void missing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeyPatterns.resource("nowhere.txt"))
        .withMessageContaining("nowhere.txt");
  }
}
