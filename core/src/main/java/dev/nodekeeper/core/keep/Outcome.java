package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.model.Stored.Origin;

/** How a request ended. */
public sealed interface Outcome {

  /**
   * @param origin of the written object: uid, new resourceVersion and (of a ConfigMap) its foreign
   *     parts
   */
  record Ok(Origin origin) implements Outcome {}

  /** 409, or 422 for a precondition inside the patch: the world is not as we saw it. Look again. */
  record Conflict(String detail) implements Outcome {}

  /** The node is no longer ours to write to, or it took too long: nothing happened. */
  record NotSent() implements Outcome {}

  /** 404. */
  record Gone() implements Outcome {}

  /** Any other 4xx: repeating it at once would not help. */
  record Refused(int code, String detail) implements Outcome {}

  /**
   * Time-out, cut connection, 429, 5xx: it may or may not have happened.
   *
   * @param retryAfterMillis what the server asked for; 0 when it did not say
   */
  record Unknown(String detail, long retryAfterMillis) implements Outcome {}
}
