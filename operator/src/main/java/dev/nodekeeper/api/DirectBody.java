package dev.nodekeeper.api;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.net.ssl.HttpsURLConnection;

/**
 * The answer to a GET over TLS, read straight from its connection by the thread that wants it. The
 * JDK's newer client wakes two more threads for each piece, which is most of what an idle watch
 * costs, and a large part of a list (docs/performance.md).
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
   * Read to its end and released, it leaves the connection to the next answer of this tap.
   *
   * @param timeout for each step until there is a status
   */
  static DirectBody open(Tap tap, HttpRequest request, Duration timeout) throws IOException {
    URI uri = request.uri();
    var proxy = tap.client().proxy().orElseGet(ProxySelector::getDefault).select(uri).getFirst();
    var connection = (HttpsURLConnection) uri.toURL().openConnection(proxy);
    connection.setSSLSocketFactory(tap);
    connection.setInstanceFollowRedirects(false);
    connection.setUseCaches(false);
    connection.setConnectTimeout(millis(tap.client().connectTimeout().orElse(timeout)));
    connection.setReadTimeout(millis(timeout));
    request.headers().map().forEach((name, values) -> values.forEach(add(connection, name)));
    try {
      int status = connection.getResponseCode();
      InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream();
      tap.patient();
      InputStream body = in == null ? InputStream.nullInputStream() : in;
      return new DirectBody(body, status, headers(connection), tap);
    } catch (IOException | RuntimeException e) {
      tap.close();
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

  /** The same, but closing it only says that the reader has done; for that thread alone. */
  InputStream shared() {
    return in;
  }

  /** Ends the connection. NB: not the stream, whose lock a waiting read holds. */
  @Override
  public void close() {
    tap.close();
  }
}
