package dev.nodekeeper.api;

import java.net.URI;

/** A blocking client of one API server: no retries, no hidden requests. */
public interface Api extends AutoCloseable {

  /** Whatever the server answers is a reply; only its absence is an exception. */
  Reply send(Call call) throws UnreachableException;

  /** Opens a watch; the path carries the query. */
  Lines watch(String path) throws UnreachableException, RefusedException;

  URI server();

  /** Ends what is under way. */
  @Override
  void close();
}
