package dev.nodekeeper.bench.load;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.read.Wire;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;

/** Lists by pages of the operator's own size. */
public final class Pages {
  private static final int PAGE = 500;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonFactory STREAM = new JsonFactory();

  private Pages() {}

  /** Where a page ends. */
  private record Head(String next, String revision) {}

  /**
   * Fetches all as the operator does, and looks at nothing but where to go on: what the wire itself
   * costs.
   */
  public static long bytes(Api api, String path, String accept) {
    long bytes = 0;
    String next = "";
    do {
      byte[] body = whole(api, path + "?limit=" + PAGE + next, accept);
      bytes += body.length;
      next = Wire.isJson(body[0]) ? head(body).next() : next(body);
    } while (!next.isEmpty());
    return bytes;
  }

  /** Of a page in protobuf. */
  private static String next(byte[] body) {
    try {
      return query(
          Wire.object(
              Wire.open(body), list -> Wire.only(list, 1, metadata -> Wire.text(metadata, 3))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String query(String token) {
    return token.isEmpty() ? "" : "&continue=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
  }

  /** Of one page: how large an object is. */
  public static double averageBytes(Api api, String path) {
    byte[] body = page(api, path + "?limit=" + PAGE);
    try {
      return (double) body.length / JSON.readTree(body).path("items").size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every object, one page at a time in memory. */
  public static void each(Api api, String path, Consumer<JsonNode> item) {
    String next = "";
    do {
      byte[] body = page(api, path + "?limit=" + PAGE + next);
      try {
        JSON.readTree(body).path("items").forEach(item);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      next = head(body).next();
    } while (!next.isEmpty());
  }

  /** Where the server stands: a watch from there on shows all that happens next. */
  public static String revision(Api api, String path) {
    return head(page(api, path + "?limit=1")).revision();
  }

  private static byte[] whole(Api api, String path, String accept) {
    try (var asked = api.ask(Call.get(path).accepting(accept).within(TIMEOUT))) {
      return asked.read(InputStream::readAllBytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] page(Api api, String path) {
    try {
      Reply reply = api.send(Call.get(path).within(TIMEOUT));
      if (!reply.ok()) {
        throw new IllegalStateException("GET " + path + ": " + reply.failure().text());
      }
      return reply.body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The metadata of a list stands before its items: the parser never gets to those. */
  private static Head head(byte[] body) {
    String next = "";
    String revision = "";
    try (var parser = STREAM.createParser(body)) {
      while (parser.nextToken() != null && parser.currentToken() != JsonToken.START_ARRAY) {
        if (parser.currentToken() == JsonToken.FIELD_NAME) {
          switch (parser.currentName()) {
            case "continue" -> next = query(parser.nextTextValue());
            case "resourceVersion" -> revision = parser.nextTextValue();
            default -> {}
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Head(next, revision);
  }
}
