package dev.nodekeeper.cli.records;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** Names of nodes by their SHA-256: a hash tells its name only to who knows the name. */
public final class Hashes {
  private final Map<String, String> names = new HashMap<>();

  public Hashes(Collection<String> known) {
    known.forEach(name -> names.put(of(name), name));
  }

  public Optional<String> name(String hash) {
    return Optional.ofNullable(names.get(hash));
  }

  public static String of(String name) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
