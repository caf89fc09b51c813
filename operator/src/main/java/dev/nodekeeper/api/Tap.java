package dev.nodekeeper.api;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * One connection at a time, of whose socket below TLS it keeps hold: closing that ends a read that
 * waits, from any thread.
 */
final class Tap extends SSLSocketFactory implements Closeable {
  private final HttpClient client;
  private final SSLSocketFactory tls;
  private volatile @Nullable Socket below;
  private volatile boolean ended;

  /**
   * @param client whose proxy and certificates it takes
   */
  Tap(HttpClient client) {
    this.client = client;
    this.tls = client.sslContext().getSocketFactory();
  }

  HttpClient client() {
    return client;
  }

  /** Silence is looked for elsewhere, and a read without a time-out costs less. */
  void patient() throws IOException {
    Socket socket = below;
    if (socket != null) {
      socket.setSoTimeout(0);
    }
  }

  boolean ended() {
    return ended;
  }

  @Override
  public void close() {
    ended = true;
    Socket socket = below;
    if (socket != null) {
      StreamLines.end(socket);
    }
  }

  /** The one that is used: it puts TLS on a connection that is there already. */
  @Override
  public Socket createSocket(Socket socket, String host, int port, boolean autoClose)
      throws IOException {
    below = socket;
    if (ended) {
      close();
    }
    return tls.createSocket(socket, host, port, autoClose);
  }

  /** What the JDK tries when the one above fails, whose failure it then tells. */
  @Override
  public Socket createSocket(String host, int port) throws IOException {
    throw new IOException("not on a connection that is there");
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress from, int fromPort) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return tls.getDefaultCipherSuites();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return tls.getSupportedCipherSuites();
  }
}
