package dev.nodekeeper.testbed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The testbed's one JSON mapper. */
public final class Json {

  static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  public static JsonNode parse(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + text, e);
    }
  }

  /** Health endpoints answer in plain text. */
  static JsonNode parseOrText(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      return TextNode.valueOf(text);
    }
  }

  static <T> T read(Path file, Class<T> type) {
    try {
      return MAPPER.readValue(Files.readAllBytes(file), type);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /** A reader sees the old file or the new one, never half of one. */
  static void write(Path file, Object value) {
    try {
      var temporary = Files.createTempFile(file.toAbsolutePath().getParent(), ".json-", "");
      Files.write(temporary, MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(value));
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
