package dev.nodekeeper.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.nodekeeper.config.LogFormat;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class LineEncoderTest {
  private static final String HOSTILE = "a\nb\r\u001b[31m\u2028\u202e\u0000c";

  @Test
  @DisplayName("one line per record, whatever is in it, also with a stack trace")
  void oneLine() {
    String line = encode(LogFormat.TEXT, HOSTILE, new IllegalStateException(HOSTILE));

    assertThat(line).endsWith("\n").contains("WARN", "watch", "IllegalStateException");
    assertThat(line.strip().chars()).noneMatch(Character::isISOControl);
    assertThat(line).doesNotContain("\u2028", "\u202e").contains("a\\u000ab");
  }

  @Test
  @DisplayName("json: the same, as an object")
  void json() throws Exception {
    JsonNode json = new JsonMapper().readTree(encode(LogFormat.JSON, "says \"hi\" 😀", null));

    assertThat(json.path("message").asText()).isEqualTo("says \"hi\" 😀");
    assertThat(json.path("level").asText()).isEqualTo("WARN");
    assertThat(json.path("part").asText()).isEqualTo("watch");
  }

  @Test
  @DisplayName("json: what a line is about are fields of their own; text has it in its words")
  void fields() throws Exception {
    LoggingEvent event = event("Restored node n1: labels: 2", null);
    event.addKeyValuePair(new KeyValuePair("node", "n1"));
    event.addKeyValuePair(new KeyValuePair("version", 7L));
    JsonNode json = new JsonMapper().readTree(encode(LogFormat.JSON, event));
    assertThat(json.path("node").asText()).isEqualTo("n1");
    assertThat(json.path("version").isNumber()).isTrue();
    assertThat(json.path("version").asLong()).isEqualTo(7);
    assertThat(encode(LogFormat.TEXT, event)).endsWith("Restored node n1: labels: 2\n");
  }

  private static String encode(LogFormat format, String message, @Nullable Throwable error) {
    return encode(format, event(message, error));
  }

  private static LoggingEvent event(String message, @Nullable Throwable error) {
    Logger logger = new LoggerContext().getLogger("dev.nodekeeper.watch.Reflector");
    return new LoggingEvent("x", logger, Level.WARN, message, error, null);
  }

  private static String encode(LogFormat format, LoggingEvent event) {
    return new String(new LineEncoder(format).encode(event), StandardCharsets.UTF_8);
  }
}
