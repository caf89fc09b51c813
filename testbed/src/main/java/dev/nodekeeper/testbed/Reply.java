package dev.nodekeeper.testbed;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What the API server answered; a refusal is an answer like any other until it is expected away.
 */
public record Reply(int code, JsonNode body) {

  public boolean ok() {
    return code >= 200 && code < 300;
  }

  /** The object, or an exception that carries the server's own words. */
  public JsonNode expect() {
    if (!ok()) {
      throw new KubeException(code, message());
    }
    return body;
  }

  /** The object, or the Status of a refusal, when the code is this one; else an exception. */
  public JsonNode expect(int wanted) {
    if (code != wanted) {
      throw new KubeException(code, "expected code " + wanted + ": " + message());
    }
    return body;
  }

  /** The message of a Status, or the whole body when it is none. */
  public String message() {
    var message = body.path("message").asText();
    return message.isEmpty() ? body.toString() : message;
  }

  public String uid() {
    return body.path("metadata").path("uid").asText();
  }

  public String resourceVersion() {
    return body.path("metadata").path("resourceVersion").asText();
  }
}
