package dev.nodekeeper.testbed;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/** Asks a part whether it is ready. */
final class Health implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Kube client;
  private final String path;

  Health(CertificateAuthority authority, URI address) {
    var prober = authority.client("testbed-health", List.of());
    this.client = Kube.of(address, prober).withTimeout(PATIENCE);
    this.path = address.getPath();
  }

  boolean good() {
    try {
      return client.get(path).ok();
    } catch (KubeException e) {
      return false;
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
