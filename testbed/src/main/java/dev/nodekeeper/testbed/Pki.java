package dev.nodekeeper.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The key files of one control plane; made once, read again by a later run in the same folder. */
record Pki(Path folder) {

  static Pki in(Path folder) {
    var pki = new Pki(folder);
    if (!Files.exists(pki.complete())) {
      pki.create();
    }
    return pki;
  }

  Path authorityCertificate() {
    return folder.resolve("ca.crt");
  }

  private Path authorityKey() {
    return folder.resolve("ca.key");
  }

  Path serverCertificate() {
    return folder.resolve("server.crt");
  }

  Path serverKey() {
    return folder.resolve("server.key");
  }

  Path serviceAccountKey() {
    return folder.resolve("sa.key");
  }

  Path serviceAccountPublicKey() {
    return folder.resolve("sa.pub");
  }

  private Path complete() {
    return serviceAccountPublicKey();
  }

  CertificateAuthority authority() {
    try {
      var certificate = Files.readString(authorityCertificate());
      return CertificateAuthority.of(
          new Identity(certificate, Files.readString(authorityKey()), certificate));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void create() {
    try {
      var root = CertificateAuthority.create();
      Files.writeString(authorityCertificate(), root.certificate());
      Files.writeString(authorityKey(), root.key());
      var server = CertificateAuthority.of(root).server();
      Files.writeString(serverCertificate(), server.certificate());
      Files.writeString(serverKey(), server.key());
      var tokens = CertificateAuthority.newKeys();
      Files.writeString(
          serviceAccountKey(), Identity.pem("PRIVATE KEY", tokens.getPrivate().getEncoded()));
      // Written last: its presence says that all the others are there.
      Files.writeString(complete(), Identity.pem("PUBLIC KEY", tokens.getPublic().getEncoded()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write certificates", e);
    }
  }
}
