package dev.nodekeeper.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.yaml.snakeyaml.LoaderOptions;

/** YAML, and with it JSON, which is a part of it. */
public final class Yaml {
  private static final YAMLMapper MAPPER =
      new YAMLMapper(
          YAMLFactory.builder()
              .loaderOptions(limits())
              .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
              .disable(YAMLGenerator.Feature.SPLIT_LINES)
              .enable(YAMLGenerator.Feature.LITERAL_BLOCK_STYLE)
              .build());

  private Yaml() {}

  /** Room for the records of 100,000 nodes; its other limits stay as they are. */
  private static LoaderOptions limits() {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(Integer.MAX_VALUE);
    return options;
  }

  /** Ends with a line break. */
  public static String write(JsonNode json) {
    try {
      return MAPPER.writeValueAsString(json);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All documents of a text. */
  public static List<JsonNode> read(String text) throws IOException {
    try (MappingIterator<JsonNode> documents = MAPPER.readerFor(JsonNode.class).readValues(text)) {
      return documents.readAll();
    }
  }
}
