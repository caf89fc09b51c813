package dev.nodekeeper.api;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;

/**
 * One request.
 *
 * @param path with the query; writes add their own
 * @param contentType of the body
 * @param accept the wanted form of the reply
 * @param body empty for none
 * @param timeout until the last byte of the reply
 */
public record Call(
    String method, String path, String contentType, String accept, String body, Duration timeout) {

  public static final String JSON = "application/json";

  /** Of a list or a watch: what has no protobuf answers with JSON, which looks different. */
  public static final String PROTOBUF = "application/vnd.kubernetes.protobuf, " + JSON;

  /** The reply then is metadata only: all we want to know of a node that we patched. */
  public static final String METADATA_ONLY =
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

  /** By which managedFields say whose a field is. */
  private static final String MANAGER = "?fieldManager=nodekeeper";

  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(15);

  public static Call get(String path) {
    return new Call("GET", path, JSON, JSON, "", TIMEOUT);
  }

  public static Call post(String path, String body) {
    return new Call("POST", path + MANAGER, JSON, JSON, body, TIMEOUT);
  }

  public static Call put(String path, String body) {
    return new Call("PUT", path + MANAGER, JSON, JSON, body, TIMEOUT);
  }

  public static Call patch(String path, String contentType, String body) {
    return new Call("PATCH", path + MANAGER, contentType, METADATA_ONLY, body, TIMEOUT);
  }

  /** Hits only the very version that was looked at. */
  public static Call delete(String path, String uid, long rv) {
    ObjectNode options = MAPPER.createObjectNode();
    options.put("apiVersion", "v1").put("kind", "DeleteOptions");
    options.putObject("preconditions").put("uid", uid).put("resourceVersion", Long.toString(rv));
    return new Call("DELETE", path, JSON, JSON, options.toString(), TIMEOUT);
  }

  public Call accepting(String form) {
    return new Call(method, path, contentType, form, body, timeout);
  }

  public Call within(Duration other) {
    return new Call(method, path, contentType, accept, body, other);
  }
}
