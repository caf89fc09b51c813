package dev.nodekeeper.cli.up;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;

/** A port that nobody uses now. */
final class FreePort {
  private FreePort() {}

  static int find() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port", e);
    }
  }
}
