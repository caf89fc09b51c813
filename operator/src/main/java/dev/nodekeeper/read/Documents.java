package dev.nodekeeper.read;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.BooleanSupplier;

/** Opens JSON documents of the API server and walks through them. */
public final class Documents {
  private static final JsonMapper MAPPER =
      new JsonMapper(
          JsonFactory.builder()
              .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
              // Any kubelet chooses keys: colliding ones must not make a whole list unreadable.
              .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
              .build());

  private Documents() {}

  /** A parser that stands on the opening brace of the document. */
  public static JsonParser open(byte[] json) throws IOException {
    return onBrace(MAPPER.createParser(json));
  }

  /** The same, while it arrives. */
  public static JsonParser open(InputStream json) throws IOException {
    return onBrace(MAPPER.createParser(json));
  }

  private static JsonParser onBrace(JsonParser parser) throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      parser.close();
      throw new UnreadableObjectException("not a JSON object");
    }
    return parser;
  }

  /** What to do with one field; the parser stands on its value. */
  @FunctionalInterface
  public interface Field {
    void read(String name, JsonParser value) throws IOException;
  }

  /** Walks through the object that the parser stands on; any other value (null) has no fields. */
  public static void fields(JsonParser parser, Field field) throws IOException {
    fields(parser, field, () -> false);
  }

  /** Not beyond the field with which there is enough. */
  static void fields(JsonParser parser, Field field, BooleanSupplier enough) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      parser.skipChildren();
      return;
    }
    while (!enough.getAsBoolean() && parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      field.read(name, parser);
      // What the reader left alone; a no-op where it consumed the value.
      if (parser.currentToken() == JsonToken.START_OBJECT
          || parser.currentToken() == JsonToken.START_ARRAY) {
        parser.skipChildren();
      }
    }
  }

  /** The text of a scalar; empty for null, an object or an array. */
  public static String text(JsonParser value) throws IOException {
    return value.currentToken().isScalarValue() && value.currentToken() != JsonToken.VALUE_NULL
        ? value.getText()
        : "";
  }
}
