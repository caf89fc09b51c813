package dev.nodekeeper.api;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A watch: one document after the other, JSON or protobuf. Closing it, from any thread, ends a
 * waiting read.
 */
public interface Lines extends Closeable {

  /** The next document, or null when the server has ended the watch in good order. */
  byte @Nullable [] next() throws IOException;

  /** Whether the server had nothing more to say when the last document was asked for. */
  default boolean waited() {
    return false;
  }

  @Override
  void close();
}
