package dev.nodekeeper.api;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A watch: one JSON document per line. Closing it, from any thread, ends a waiting read. */
public interface Lines extends Closeable {

  /** The next line, or null when the server has ended the watch in good order. */
  byte @Nullable [] next() throws IOException;

  @Override
  void close();
}
