package dev.nodekeeper.config;

import java.util.Optional;

/** Where to listen. */
public record Listen(String host, int port) {
  private static final int MAX_PORT = 65_535;

  /** {@code host:port}, {@code [::1]:port}, or {@code off}. */
  static Optional<Listen> parse(String text) {
    if (text.equals("off")) {
      return Optional.empty();
    }
    int colon = text.lastIndexOf(':');
    String host = text.substring(0, Parsers.check(colon, colon > 0));
    int port = Integer.parseInt(text.substring(colon + 1));
    Parsers.check(host, host.matches("[A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\]"));
    return Optional.of(new Listen(host, Parsers.check(port, port >= 0 && port <= MAX_PORT)));
  }
}
