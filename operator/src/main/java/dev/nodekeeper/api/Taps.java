package dev.nodekeeper.api;

import java.io.Closeable;
import java.net.http.HttpClient;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** All taps of one API: so that closing it ends them, and a list goes on where a page ended. */
final class Taps implements Closeable {
  /** Those that may be open. */
  private final Set<Tap> all = ConcurrentHashMap.newKeySet();

  /** Of them those that nobody uses. */
  private final Queue<Tap> resting = new ConcurrentLinkedQueue<>();

  private volatile boolean closed;

  Tap fresh(HttpClient client) {
    all.removeIf(Tap::ended);
    var tap = new Tap(client);
    all.add(tap);
    if (closed) {
      tap.close();
    }
    return tap;
  }

  /** One that rested if there is any with these credentials; the others are ended. */
  Tap rested(HttpClient client) {
    for (Tap tap = resting.poll(); tap != null; tap = resting.poll()) {
      if (tap.client() == client && !tap.ended()) {
        return tap;
      }
      tap.close();
    }
    return fresh(client);
  }

  void rest(Tap tap) {
    resting.add(tap);
  }

  @Override
  public void close() {
    closed = true;
    all.forEach(Tap::close);
  }
}
