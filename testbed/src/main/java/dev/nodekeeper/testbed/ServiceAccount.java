package dev.nodekeeper.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

/** An account in the cluster, and what a kubelet gives to a container that runs under it. */
public record ServiceAccount(ControlPlane plane, String namespace, String name) {

  /** Longer than any test. */
  private static final Duration VALID = Duration.ofDays(30);

  /** Whom the API server takes its token's bearer for. */
  public String user() {
    return "system:serviceaccount:" + namespace + ":" + name;
  }

  public ServiceAccount create() {
    plane.admin().create(accounts(), "{\"metadata\": {\"name\": \"%s\"}}".formatted(name)).expect();
    return this;
  }

  /** The folder that is mounted into every container: a new token, authority and namespace. */
  public Path mount() {
    var folder = plane.layout().root().resolve("accounts").resolve(namespace).resolve(name);
    try {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve("token"), token());
      Files.writeString(folder.resolve("ca.crt"), authority());
      Files.writeString(folder.resolve("namespace"), namespace);
      // Another user reads it.
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A kubeconfig with a new token and no certificate, for those who are not in a container. */
  public Path kubeconfig() {
    try {
      return Files.writeString(
          plane.layout().kubeconfig(user() + "-token"),
          Kubeconfig.render(plane.server(), user(), authority(), mount().resolve("token")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String token() {
    var request =
        """
        {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
         "spec": {"expirationSeconds": %d}}
        """
            .formatted(VALID.toSeconds());
    return plane
        .admin()
        .create(accounts() + "/" + name + "/token", request)
        .expect()
        .path("status")
        .path("token")
        .asText();
  }

  private String authority() throws IOException {
    return Files.readString(Pki.in(plane.layout().pki()).authorityCertificate());
  }

  private String accounts() {
    return "/api/v1/namespaces/" + namespace + "/serviceaccounts";
  }
}
