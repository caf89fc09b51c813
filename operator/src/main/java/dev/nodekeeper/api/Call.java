package dev.nodekeeper.api;

import java.time.Duration;

/**
 * One request.
 *
 * @param path with the query
 * @param contentType of the body
 * @param accept the wanted form of the reply
 * @param body empty for none
 * @param timeout until the last byte of the reply
 */
public record Call(
    String method, String path, String contentType, String accept, String body, Duration timeout) {

  public static final String JSON = "application/json";

  /** The reply then is metadata only: all we want to know of a node that we patched. */
  public static final String METADATA_ONLY =
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

  private static final Duration TIMEOUT = Duration.ofSeconds(15);

  public static Call get(String path) {
    return new Call("GET", path, JSON, JSON, "", TIMEOUT);
  }

  public static Call post(String path, String body) {
    return new Call("POST", path, JSON, JSON, body, TIMEOUT);
  }

  public static Call put(String path, String body) {
    return new Call("PUT", path, JSON, JSON, body, TIMEOUT);
  }

  public static Call patch(String path, String contentType, String body) {
    return new Call("PATCH", path, contentType, METADATA_ONLY, body, TIMEOUT);
  }

  public static Call delete(String path, String body) {
    return new Call("DELETE", path, JSON, JSON, body, TIMEOUT);
  }

  public Call within(Duration other) {
    return new Call(method, path, contentType, accept, body, other);
  }
}
