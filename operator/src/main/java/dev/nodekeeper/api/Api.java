package dev.nodekeeper.api;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;

/** A blocking client of one API server: no retries, no hidden requests. */
public interface Api extends AutoCloseable {

  /** Whatever the server answers is a reply; only its absence is an exception. */
  Reply send(Call call) throws UnreachableException;

  /** Asks for a body that may be large; returns at once. */
  default Asked ask(Call call) {
    return new Asked() {
      @Override
      public <T> T read(BodyReader<T> reader) throws IOException {
        Reply reply = send(call);
        if (!reply.ok()) {
          throw new RefusedException(call.method() + " " + call.path(), reply);
        }
        return reader.read(new ByteArrayInputStream(reply.body()));
      }

      @Override
      public void close() {
        // Nothing is under way.
      }
    };
  }

  /** A request under way. Closed unread, it is given up. */
  interface Asked extends AutoCloseable {

    /**
     * Waits for the answer and reads it while it arrives.
     *
     * @throws RefusedException when the server says no
     */
    <T> T read(BodyReader<T> reader) throws IOException;

    @Override
    void close();
  }

  /** What to make of a body. */
  @FunctionalInterface
  interface BodyReader<T> {
    T read(InputStream body) throws IOException;
  }

  /** Opens a watch; the path carries the query. */
  default Lines watch(String path) throws UnreachableException, RefusedException {
    return watch(path, Call.JSON);
  }

  /** The same, in another form than JSON where the server has it. */
  Lines watch(String path, String accept) throws UnreachableException, RefusedException;

  URI server();

  /** Ends what is under way. */
  @Override
  void close();
}
