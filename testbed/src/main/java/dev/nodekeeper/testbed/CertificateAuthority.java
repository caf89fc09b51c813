package dev.nodekeeper.testbed;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** The control plane's own authority: signs the server's and every client's certificate. */
final class CertificateAuthority {

  private static final SecureRandom RANDOM = new SecureRandom();

  /** Both ways: tests set clocks ten years back and ahead. */
  private static final Duration VALID = Duration.ofDays(20 * 365);

  private static final X500Name NAME = subject("nodekeeper-testbed", List.of());

  private final String certificate;
  private final PrivateKey key;

  private CertificateAuthority(String certificate, PrivateKey key) {
    this.certificate = certificate;
    this.key = key;
  }

  /** A new authority, as the identity to keep on disk and load again. */
  static Identity create() {
    try {
      var keys = newKeys();
      var builder = builder(NAME, keys);
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
      builder.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      var pem = sign(builder, keys.getPrivate());
      return new Identity(pem, Identity.pem("PRIVATE KEY", keys.getPrivate().getEncoded()), pem);
    } catch (CertIOException e) {
      throw new IllegalStateException(e);
    }
  }

  static CertificateAuthority of(Identity identity) {
    try {
      return new CertificateAuthority(identity.certificate(), Identity.parseKey(identity.key()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the authority's key is not readable", e);
    }
  }

  Identity client(String user, List<String> groups) {
    return issue(subject(user, groups), KeyPurposeId.id_kp_clientAuth, List.of());
  }

  Identity server() {
    var names =
        List.of(
            new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
            new GeneralName(GeneralName.dNSName, "localhost"));
    return issue(subject("kube-apiserver", List.of()), KeyPurposeId.id_kp_serverAuth, names);
  }

  static KeyPair newKeys() {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private Identity issue(X500Name subject, KeyPurposeId purpose, List<GeneralName> names) {
    try {
      var keys = newKeys();
      var builder = builder(subject, keys);
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
      if (!names.isEmpty()) {
        builder.addExtension(
            Extension.subjectAlternativeName,
            false,
            new GeneralNames(names.toArray(GeneralName[]::new)));
      }
      var pem = sign(builder, key);
      return new Identity(
          pem, Identity.pem("PRIVATE KEY", keys.getPrivate().getEncoded()), certificate);
    } catch (CertIOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static X509v3CertificateBuilder builder(X500Name subject, KeyPair keys) {
    var now = Instant.now();
    return new JcaX509v3CertificateBuilder(
        NAME,
        new BigInteger(120, RANDOM).setBit(119),
        Date.from(now.minus(VALID)),
        Date.from(now.plus(VALID)),
        subject,
        keys.getPublic());
  }

  private static String sign(X509v3CertificateBuilder builder, PrivateKey key) {
    try {
      var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(key);
      return Identity.pem("CERTIFICATE", builder.build(signer).getEncoded());
    } catch (OperatorCreationException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Kubernetes reads the common name as the user and every organization as a group. */
  private static X500Name subject(String user, List<String> groups) {
    var name = new X500NameBuilder(BCStyle.INSTANCE);
    groups.forEach(group -> name.addRDN(BCStyle.O, group));
    return name.addRDN(BCStyle.CN, user).build();
  }
}
