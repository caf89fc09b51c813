package dev.nodekeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ScreenTest {

  @Test
  @DisplayName("colours only on a terminal that can show them, and not where NO_COLOR is set")
  void colours() {
    assertThat(Screen.ansi(true, Map.of("TERM", "xterm")).enabled()).isTrue();
    assertThat(Screen.ansi(false, Map.of("TERM", "xterm")).enabled()).isFalse();
    assertThat(Screen.ansi(true, Map.of("TERM", "xterm", "NO_COLOR", "1")).enabled()).isFalse();
    assertThat(Screen.ansi(true, Map.of("TERM", "dumb")).enabled()).isFalse();
    assertThat(Screen.ansi(true, Map.of()).enabled()).isFalse();
  }
}
