package dev.nodekeeper.testbed;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Renders a kubeconfig that needs no other file. */
final class Kubeconfig {

  private Kubeconfig() {}

  static String render(URI server, String user, Identity identity) {
    return """
        apiVersion: v1
        kind: Config
        current-context: testbed
        clusters:
        - name: testbed
          cluster:
            server: %s
            certificate-authority-data: %s
        contexts:
        - name: testbed
          context:
            cluster: testbed
            user: "%s"
        users:
        - name: "%s"
          user:
            client-certificate-data: %s
            client-key-data: %s
        """
        .formatted(
            server,
            base64(identity.authority()),
            user,
            user,
            base64(identity.certificate()),
            base64(identity.key()));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
