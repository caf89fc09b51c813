package dev.nodekeeper.testbed;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate, its private key (PKCS #8) and the authority that signed it, all as PEM text. */
record Identity(String certificate, String key, String authority) {

  static String pem(String type, byte[] der) {
    var body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
  }

  static X509Certificate parseCertificate(String pem) throws GeneralSecurityException {
    var bytes = new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
    return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(bytes);
  }

  static PrivateKey parseKey(String pem) throws GeneralSecurityException {
    var body = pem.lines().filter(line -> !line.startsWith("-")).reduce("", String::concat);
    var spec = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(body));
    return KeyFactory.getInstance("EC").generatePrivate(spec);
  }

  /** TLS that shows this certificate and trusts only our authority. */
  SSLContext tls() {
    try {
      var noPassword = new char[0];
      var keys = emptyStore();
      keys.setKeyEntry(
          "client",
          parseKey(key),
          noPassword,
          new X509Certificate[] {parseCertificate(certificate)});
      var keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keyManagers.init(keys, noPassword);
      return context(keyManagers.getKeyManagers());
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("cannot use a certificate of our own", e);
    }
  }

  /** TLS that shows nothing and trusts only our authority. */
  SSLContext trust() {
    try {
      return context(new KeyManager[0]);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("cannot use a certificate of our own", e);
    }
  }

  private SSLContext context(KeyManager[] keys) throws GeneralSecurityException, IOException {
    var trusted = emptyStore();
    trusted.setCertificateEntry("authority", parseCertificate(authority));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    var context = SSLContext.getInstance("TLS");
    context.init(keys, trust.getTrustManagers(), null);
    return context;
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }
}
