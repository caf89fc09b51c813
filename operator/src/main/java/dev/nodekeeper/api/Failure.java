package dev.nodekeeper.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.CodedInputStream;
import dev.nodekeeper.read.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * A Kubernetes Status that says no.
 *
 * @param fields the fields it complains about
 */
public record Failure(int code, String reason, String message, String kind, List<String> fields) {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final int MESSAGE_MAX = 500;

  static Failure of(int status, byte[] body) {
    try {
      if (Wire.isObject(body)) {
        return of(status, Wire.open(body));
      }
      return of(status, MAPPER.readTree(body));
    } catch (IOException e) {
      // Not from the API server itself: a proxy, or a load balancer without a backend.
      return new Failure(
          status, "", shortened(new String(body, StandardCharsets.UTF_8)), "", List.of());
    }
  }

  /** Of a Status object; the code is taken from it where it has one. */
  public static Failure of(int status, JsonNode json) {
    JsonNode details = json.path("details");
    List<String> fields =
        StreamSupport.stream(details.path("causes").spliterator(), false)
            .map(cause -> cause.path("field").asText(""))
            .distinct()
            .toList();
    return new Failure(
        json.path("code").asInt(status),
        json.path("reason").asText(""),
        shortened(json.path("message").asText("")),
        details.path("kind").asText(""),
        fields);
  }

  /** The same in protobuf. */
  public static Failure of(int status, CodedInputStream object) throws IOException {
    String[] texts = {"", ""};
    int[] code = {status};
    Wire.object(
        object,
        failure -> {
          Wire.fields(
              failure,
              (number, value) -> {
                switch (number) {
                  case 3, 4 -> texts[number - 3] = value.readString();
                  case 6 -> code[0] = value.readInt32();
                  default -> {
                    return false;
                  }
                }
                return true;
              });
          return true;
        });
    return new Failure(code[0], texts[1], shortened(texts[0]), "", List.of());
  }

  /** For people. */
  public String text() {
    return (code + " " + reason).strip() + (message.isEmpty() ? "" : ": " + message);
  }

  /** Nothing can be made in it; it will be gone, and made again, by and by. */
  public boolean namespaceLeaves() {
    return code == 403 && message.contains("because it is being terminated");
  }

  /** NB: etcd's own limit on an object comes as a 500; repeating does not help. */
  public boolean tooLarge() {
    return code == 500 && message.contains("request is too large");
  }

  private static String shortened(String text) {
    return text.length() <= MESSAGE_MAX ? text : text.substring(0, MESSAGE_MAX) + "…";
  }
}
