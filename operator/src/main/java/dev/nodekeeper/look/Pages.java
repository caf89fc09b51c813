package dev.nodekeeper.look;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.RefusedException;
import dev.nodekeeper.api.Reply;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.read.Documents;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** A list of any length, some hundred objects at a time. */
public final class Pages {
  /** For those who need no more than names and annotations. */
  public static final String METADATA =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

  private static final int SIZE = 500;

  private String next = "";
  private String rv = "";

  private Pages() {}

  /** Reads one object; the parser stands on its opening brace. */
  public interface Reader<T> {
    T read(JsonParser parser) throws IOException;
  }

  /**
   * The revision of the list.
   *
   * @param query further parameters, each with an ampersand before it
   */
  public static <T> long read(
      Api api,
      String path,
      String query,
      String accept,
      Reader<? extends T> reader,
      Consumer<T> into)
      throws IOException {
    Pages page = new Pages();
    do {
      String more = page.next.isEmpty() ? "" : "&continue=" + encoded(page.next);
      Call plain = Call.get(path + "?limit=" + SIZE + query + more);
      Call call = new Call("GET", plain.path(), Call.JSON, accept, "", plain.timeout());
      Reply reply = api.send(call);
      if (!reply.ok()) {
        throw new RefusedException("GET " + path, reply);
      }
      page = page(reply.body(), reader, into);
    } while (!page.next.isEmpty());
    return Origin.isRevision(page.rv) ? Long.parseLong(page.rv) : 0;
  }

  private static <T> Pages page(byte[] json, Reader<? extends T> reader, Consumer<T> into)
      throws IOException {
    Pages page = new Pages();
    try (JsonParser parser = Documents.open(json)) {
      Documents.fields(
          parser,
          (name, value) -> {
            if (name.equals("metadata")) {
              Documents.fields(
                  value,
                  (field, text) -> {
                    switch (field) {
                      case "continue" -> page.next = Documents.text(text);
                      case "resourceVersion" -> page.rv = Documents.text(text);
                      default -> {}
                    }
                  });
            } else if (name.equals("items") && value.currentToken() == JsonToken.START_ARRAY) {
              while (value.nextToken() == JsonToken.START_OBJECT) {
                into.accept(reader.read(value));
              }
            }
          });
    }
    return page;
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
