package dev.nodekeeper.testbed;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;

/** Renders a kubeconfig; with a certificate it needs no other file. */
final class Kubeconfig {

  private Kubeconfig() {}

  static String render(URI server, String user, Identity identity) {
    return render(
        server,
        user,
        identity.authority(),
        """
        client-certificate-data: %s
            client-key-data: %s"""
            .formatted(base64(identity.certificate()), base64(identity.key())));
  }

  static String render(URI server, String user, String authority, Path tokenFile) {
    return render(server, user, authority, "tokenFile: " + tokenFile);
  }

  private static String render(URI server, String user, String authority, String credentials) {
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
            %s
        """
        .formatted(server, base64(authority), user, user, credentials);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
