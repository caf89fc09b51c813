package dev.nodekeeper.loop;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.function.Supplier;

/** Fresh unguessable texts: 256 random bits in base64url. */
public final class Nonces implements Supplier<String> {
  private static final int BYTES = 32;
  private final SecureRandom random = new SecureRandom();

  @Override
  public String get() {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
