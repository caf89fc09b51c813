package dev.nodekeeper.testbed.fault;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** The API server's side of the proxy. */
final class Upstream implements AutoCloseable {

  /** Those that belong to one connection, and compression, which would hide the events. */
  private static final Set<String> OURS =
      caseless(
          "Connection",
          "Content-Length",
          "Host",
          "Upgrade",
          "HTTP2-Settings",
          "Expect",
          "Accept-Encoding",
          "Transfer-Encoding");

  private final URI server;
  private final HttpClient withCertificate;
  private final HttpClient withToken;

  Upstream(URI server, SSLContext certificate, SSLContext none) {
    this.server = server;
    this.withCertificate = client(certificate);
    this.withToken = client(none);
  }

  private static HttpClient client(SSLContext tls) {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(Duration.ofSeconds(10))
        .executor(Executors.newVirtualThreadPerTaskExecutor())
        .sslContext(tls)
        .build();
  }

  /** NB: the API server believes a certificate before a token, so a token must come without one. */
  HttpResponse<InputStream> send(Call call) throws IOException, InterruptedException {
    var body = call.body();
    var request =
        HttpRequest.newBuilder(server.resolve(call.target()))
            .method(
                call.method(),
                body.isEmpty()
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(body, StandardCharsets.UTF_8));
    for (var header : call.headers()) {
      if (!OURS.contains(header.getKey())) {
        request.header(header.getKey(), readable(header.getValue()));
      }
    }
    var client = call.hasToken() ? withToken : withCertificate;
    return client.send(request.build(), BodyHandlers.ofInputStream());
  }

  /** Whoever asks for protobuf gets JSON here, so that events can be told and edited. */
  private static String readable(String value) {
    return value.replace("application/vnd.kubernetes.protobuf, ", "");
  }

  static Set<String> caseless(String... names) {
    var set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    set.addAll(Set.of(names));
    return set;
  }

  @Override
  public void close() {
    withCertificate.shutdownNow();
    withToken.shutdownNow();
  }
}
