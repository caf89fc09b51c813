package dev.nodekeeper.api;

import io.fabric8.kubernetes.client.Config;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.util.Arrays;
import java.util.Optional;

/** The way out through an HTTP proxy, where the kubeconfig or the environment names one. */
final class Proxies {
  private static final String[] NONE = {};

  private Proxies() {}

  static Optional<ProxySelector> of(Config config, URI server) throws NoClusterException {
    String proxy =
        "http".equals(server.getScheme()) ? config.getHttpProxy() : config.getHttpsProxy();
    if (proxy == null || proxy.isBlank()) {
      // A proxy-url of a kubeconfig is stored by its own scheme, whatever the server's is.
      proxy = config.getHttpProxy();
    }
    if (proxy == null || proxy.isBlank() || direct(config, server.getHost())) {
      return Optional.empty();
    }
    URI uri = URI.create(proxy.contains("://") ? proxy : "http://" + proxy);
    if (uri.getHost() == null || uri.getPort() < 0 || uri.getScheme().startsWith("socks")) {
      throw new NoClusterException("The proxy '" + proxy + "' must be http://HOST:PORT");
    }
    return Optional.of(
        ProxySelector.of(InetSocketAddress.createUnresolved(uri.getHost(), uri.getPort())));
  }

  private static boolean direct(Config config, String host) {
    String[] exceptions = config.getNoProxy() == null ? NONE : config.getNoProxy();
    return Arrays.stream(exceptions)
        .map(String::strip)
        .filter(exception -> !exception.isEmpty())
        .anyMatch(
            exception ->
                exception.equals("*")
                    || host.equals(exception)
                    || host.endsWith(exception.startsWith(".") ? exception : "." + exception));
  }
}
