package dev.nodekeeper.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Certificates are X.509 v3, signed by the authority")
class CertificateAuthorityTest {

  private final Identity root = CertificateAuthority.create();
  private final CertificateAuthority authority = CertificateAuthority.of(root);

  @Test
  @DisplayName("a client certificate names the user and all groups")
  void client() throws Exception {
    var issued = authority.client("system:node:a", List.of("system:nodes", "more"));
    var certificate = Identity.parseCertificate(issued.certificate());
    certificate.verify(Identity.parseCertificate(root.certificate()).getPublicKey());
    assertThat(certificate.getVersion()).isEqualTo(3);
    assertThat(certificate.getSubjectX500Principal().getName())
        .contains("CN=system:node:a", "O=system:nodes", "O=more");
    assertThat(certificate.getBasicConstraints()).isEqualTo(-1);
  }

  @Test
  @DisplayName("the server's certificate is for 127.0.0.1 and localhost")
  void server() throws Exception {
    var certificate = Identity.parseCertificate(authority.server().certificate());
    assertThat(certificate.getSubjectAlternativeNames())
        .containsExactlyInAnyOrder(List.of(7, "127.0.0.1"), List.of(2, "localhost"));
    assertThat(certificate.getVersion()).isEqualTo(3);
  }
}
