package dev.nodekeeper.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** An open watch; closing it ends the connection. */
public final class Watch implements AutoCloseable {

  private final InputStream stream;
  private final Thread reader;

  private Watch(InputStream stream, Thread reader) {
    this.stream = stream;
    this.reader = reader;
  }

  static Watch start(InputStream stream, Consumer<JsonNode> events) {
    var thread = Thread.ofVirtual().name("testbed-watch").start(() -> read(stream, events));
    return new Watch(stream, thread);
  }

  private static void read(InputStream stream, Consumer<JsonNode> events) {
    try (var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      lines.lines().map(Json::parse).forEach(events);
    } catch (IOException | UncheckedIOException e) {
      // The end of a watch, ours or the server's, shows as a broken stream: nothing to report.
      return;
    }
  }

  static void discard(InputStream stream) {
    try {
      stream.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** False once the watch has ended, whoever ended it. */
  public boolean open() {
    return reader.isAlive();
  }

  @Override
  public void close() {
    discard(stream);
  }
}
