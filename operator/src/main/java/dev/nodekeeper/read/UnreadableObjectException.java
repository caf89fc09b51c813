package dev.nodekeeper.read;

import java.io.IOException;

/** An object of the API that is not what its kind should be. */
public final class UnreadableObjectException extends IOException {
  public UnreadableObjectException(String message) {
    super(message);
  }
}
