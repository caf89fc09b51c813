package dev.nodekeeper.api;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A logged-in client.
 *
 * @param authorization the header, or null where a certificate or nothing speaks for us
 * @param loadedNanos when the credentials were read
 */
record Session(URI server, HttpClient client, @Nullable String authorization, long loadedNanos) {

  private static final Duration CONNECT = Duration.ofSeconds(10);

  /** HTTP/1.1, because it costs a third of the CPU of HTTP/2 per small request (ADR). */
  static Session open(Config config, Executor threads) throws NoClusterException {
    URI server = server(config);
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .executor(threads);
    Proxies.of(config, server).ifPresent(builder::proxy);
    if ("https".equals(server.getScheme())) {
      try {
        builder.sslContext(SSLUtils.sslContext(config));
      } catch (GeneralSecurityException | IOException | RuntimeException e) {
        throw new NoClusterException("Cannot use the certificates for " + server + ": " + e);
      }
    }
    return new Session(server, builder.build(), authorization(config), System.nanoTime());
  }

  /** Only the token is new: open connections stay. */
  Session renewed(Config config) {
    return new Session(server, client, authorization(config), System.nanoTime());
  }

  private static URI server(Config config) throws NoClusterException {
    String url = config.getMasterUrl().strip();
    try {
      URI uri = URI.create(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
      if (uri.getHost() != null && uri.getScheme() != null) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // Told below, the same way.
    }
    throw new NoClusterException("The server '" + url + "' of the kubeconfig is no URL");
  }

  private static @Nullable String authorization(Config config) {
    String token =
        config.getOauthTokenProvider() != null
            ? config.getOauthTokenProvider().getToken()
            : config.getOauthToken() != null ? config.getOauthToken() : config.getAutoOAuthToken();
    if (token != null && !token.isBlank()) {
      return "Bearer " + token.strip();
    }
    return config.getUsername() == null || config.getUsername().isEmpty()
        ? null
        : HttpClientUtils.basicCredentials(config.getUsername(), config.getPassword());
  }
}
