package dev.nodekeeper.api;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a GET over TLS, read straight from a connection of its own by the thread that wants
 * it. The JDK's newer client wakes two more threads for each piece, which is most of what an idle
 * watch costs (docs/performance.md).
 */
final class DirectBody extends FilterInputStream {
  private final int status;
  private final HttpHeaders headers;
  private final Tap tap;

  private DirectBody(InputStream in, int status, HttpHeaders headers, Tap tap) {
    super(in);
    this.status = status;
    this.headers = headers;
    this.tap = tap;
  }

  /**
   * @param client whose proxy and certificates it takes
   * @param timeout for each step until there is a status
   */
  static DirectBody open(HttpClient client, HttpRequest request, Duration timeout)
      throws IOException {
    URI uri = request.uri();
    var tap = new Tap(client.sslContext().getSocketFactory());
    var proxy = client.proxy().orElseGet(ProxySelector::getDefault).select(uri).getFirst();
    var connection = (HttpsURLConnection) uri.toURL().openConnection(proxy);
    connection.setSSLSocketFactory(tap);
    connection.setInstanceFollowRedirects(false);
    connection.setUseCaches(false);
    connection.setConnectTimeout(millis(client.connectTimeout().orElse(timeout)));
    connection.setReadTimeout(millis(timeout));
    request.headers().map().forEach((name, values) -> values.forEach(add(connection, name)));
    // It is ours alone, so that closing it harms nobody.
    connection.setRequestProperty("Connection", "close");
    try {
      int status = connection.getResponseCode();
      InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream();
      tap.patient();
      InputStream body = in == null ? InputStream.nullInputStream() : in;
      return new DirectBody(body, status, headers(connection), tap);
    } catch (IOException | RuntimeException e) {
      tap.end();
      throw e;
    }
  }

  private static Consumer<String> add(HttpURLConnection to, String name) {
    return value -> to.addRequestProperty(name, value);
  }

  private static int millis(Duration duration) {
    return Math.toIntExact(duration.toMillis());
  }

  private static HttpHeaders headers(HttpURLConnection connection) {
    Map<String, List<String>> named = new HashMap<>(connection.getHeaderFields());
    // The status line.
    named.remove(null);
    return HttpHeaders.of(named, (_, _) -> true);
  }

  int status() {
    return status;
  }

  HttpHeaders headers() {
    return headers;
  }

  boolean closed() {
    return tap.ended;
  }

  /** NB: not the stream, whose lock a waiting read holds. */
  @Override
  public void close() {
    tap.end();
  }

  /** Keeps hold of the socket below TLS: closing it ends a read that waits, from any thread. */
  private static final class Tap extends SSLSocketFactory {
    private final SSLSocketFactory tls;
    private volatile @Nullable Socket below;
    private volatile boolean ended;

    Tap(SSLSocketFactory tls) {
      this.tls = tls;
    }

    /** Silence is looked for elsewhere, and a read without a time-out costs less. */
    void patient() throws IOException {
      Socket socket = below;
      if (socket != null) {
        socket.setSoTimeout(0);
      }
    }

    void end() {
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
      return tls.createSocket(socket, host, port, autoClose);
    }

    @Override
    public Socket createSocket(String host, int port) {
      throw new UnsupportedOperationException();
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
}
