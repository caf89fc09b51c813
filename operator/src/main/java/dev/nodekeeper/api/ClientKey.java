package dev.nodekeeper.api;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The private key of a kubeconfig. fabric8 takes every PKCS#8 key for RSA; elliptic curve keys come
 * in that form too, for example from openssl.
 */
final class ClientKey {
  private static final String HEAD = "-----BEGIN PRIVATE KEY-----";
  private static final String FOOT = "-----END PRIVATE KEY-----";

  private ClientKey() {}

  /** Tells fabric8 the algorithm where it would guess wrong. */
  static void nameAlgorithm(Config config) {
    String pem = pem(config);
    if (pem != null && pem.contains(HEAD) && !isRsa(pem)) {
      config.setClientKeyAlgo("EC");
    }
  }

  private static @Nullable String pem(Config config) {
    try {
      if (config.getClientKeyData() != null) {
        byte[] bytes = Base64.getMimeDecoder().decode(config.getClientKeyData());
        return new String(bytes, StandardCharsets.US_ASCII);
      }
      return config.getClientKeyFile() == null
          ? null
          : Files.readString(Path.of(config.getClientKeyFile()), StandardCharsets.US_ASCII);
    } catch (IOException | IllegalArgumentException e) {
      // Told by whoever needs the key.
      return null;
    }
  }

  private static boolean isRsa(String pem) {
    String body = pem.substring(pem.indexOf(HEAD) + HEAD.length());
    int end = body.indexOf(FOOT);
    try {
      byte[] key = Base64.getMimeDecoder().decode(end < 0 ? body : body.substring(0, end));
      KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(key));
      return true;
    } catch (NoSuchAlgorithmException | InvalidKeySpecException | IllegalArgumentException e) {
      return false;
    }
  }
}
