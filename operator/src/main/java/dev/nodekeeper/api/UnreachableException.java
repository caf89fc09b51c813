package dev.nodekeeper.api;

import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * No reply: refused, cut, timed out, or no trust. The request may or may not have been carried out.
 */
public final class UnreachableException extends IOException {
  public UnreachableException(URI server, String detail, @Nullable Throwable cause) {
    super("No answer from " + server + ": " + detail, cause);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
