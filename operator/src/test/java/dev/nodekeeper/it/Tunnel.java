package dev.nodekeeper.it;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTP proxy that knows nothing but CONNECT, and takes everybody to the same place. */
final class Tunnel implements AutoCloseable {
  private final ServerSocket server;
  private final URI target;
  private final AtomicInteger opened = new AtomicInteger();

  private Tunnel(ServerSocket server, URI target) {
    this.server = server;
    this.target = target;
  }

  static Tunnel to(URI target) throws IOException {
    var tunnel = new Tunnel(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
    Thread.ofVirtual().start(tunnel::accept);
    return tunnel;
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort());
  }

  int opened() {
    return opened.get();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException e) {
        // It is closed, or this one was.
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      String head = head(client);
      if (!head.startsWith("CONNECT ")) {
        throw new IOException("not a CONNECT: " + head);
      }
      try (var there = new Socket(target.getHost(), target.getPort())) {
        opened.incrementAndGet();
        client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        Thread.ofVirtual().start(() -> copy(there, client));
        copy(client, there);
      }
    } catch (IOException e) {
      // One of them has gone.
    }
  }

  private static String head(Socket client) throws IOException {
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int c = client.getInputStream().read();
      if (c < 0) {
        throw new IOException("ended within its head");
      }
      head.append((char) c);
    }
    return head.toString();
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // One of them has gone.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
