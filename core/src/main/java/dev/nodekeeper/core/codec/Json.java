package dev.nodekeeper.core.codec;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** The one JSON mapper of the core: strict about duplicates and trailing text. */
final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  /**
   * Short lines with "\n" and no trailing blanks, so that kubectl shows a block and not a string.
   */
  private static final ObjectWriter PRETTY =
      MAPPER.writer(
          new DefaultPrettyPrinter(
                  Separators.createDefaultInstance()
                      .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                      .withObjectEmptySeparator("")
                      .withArrayEmptySeparator(""))
              .withObjectIndenter(new DefaultIndenter("  ", "\n"))
              .withArrayIndenter(new DefaultIndenter("  ", "\n")));

  private Json() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static JsonNode parse(String text) throws JsonProcessingException {
    try {
      return MAPPER.readTree(text);
    } catch (NumberFormatException e) {
      // 1e9999999999: legal JSON that no type holds, and Jackson's own exception does not cover.
      throw new JsonParseException(null, "a number out of range", e);
    }
  }

  static JsonParser parser(String text) throws IOException {
    return MAPPER.createParser(text);
  }

  /** Of text that we wrote ourselves. */
  static JsonNode raw(String text) {
    try {
      return parse(text);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(JsonNode json) {
    try {
      return MAPPER.writeValueAsString(json);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String pretty(JsonNode json) {
    try {
      return PRETTY.writeValueAsString(json) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where the parser was, it says in its own words: not for people. */
  static String firstLine(@Nullable String message) {
    return message == null
        ? "unreadable"
        : message
            .lines()
            .findFirst()
            .orElse("unreadable")
            .replaceFirst(" (\\(start marker|for `ObjectNode`).*", "");
  }
}
