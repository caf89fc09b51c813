package dev.nodekeeper.core.codec;

import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Version;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The annotation that says "this incarnation was restored from that version of its record". Any
 * kubelet can write annotations on its own node, so it is a MAC under the version's nonce, over the
 * incarnation's uid and the withheld list: it can be neither forged nor replayed. There are two for
 * each, so that who restores from one version twice, after a blind write, leaves another marker.
 */
public final class Marker {
  /** A list longer than this becomes {@link #EVERYTHING}. */
  private static final int WITHHELD_MAX_CHARS = 16_384;

  /** In the withheld list: every key of the record that is absent. */
  private static final String EVERYTHING = "*";

  private Marker() {}

  public static String of(Version version, String uid, String withheld) {
    return version.generation() + "." + mac(version.nonce(), uid, withheld);
  }

  /** Another than the one that is there. */
  public static String after(
      @Nullable String present, Version version, String uid, String withheld) {
    String marker = of(version, uid, withheld);
    return marker.equals(present) ? again(version, uid, withheld) : marker;
  }

  private static String again(Version version, String uid, String withheld) {
    return version.generation() + "." + mac(version.nonce(), "again\n" + uid, withheld);
  }

  /** The version of the record that this marker is valid for; null when it is for none. */
  public static @Nullable Version check(
      NodeRecord record, String uid, @Nullable String marker, @Nullable String withheld) {
    long generation = generation(marker);
    if (marker == null || generation < 0) {
      return null;
    }
    return record
        .history()
        .filter(version -> version.generation() == generation)
        .filter(Version::vouches)
        .filter(
            version -> {
              String list = withheld == null ? "" : withheld;
              return same(of(version, uid, list), marker)
                  || same(again(version, uid, list), marker);
            })
        .findFirst()
        .orElse(null);
  }

  private static boolean same(String one, String other) {
    return MessageDigest.isEqual(bytes(one), bytes(other));
  }

  /** What it claims, proven or not; -1 for no marker or nonsense. */
  public static long generation(@Nullable String marker) {
    int dot = marker == null ? -1 : marker.indexOf('.');
    if (marker == null || dot < 1 || dot > 18) {
      return -1;
    }
    long value = 0;
    for (int i = 0; i < dot; i++) {
      char c = marker.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      value = value * 10 + (c - '0');
    }
    return value;
  }

  /** The annotation's text for these keys; empty when nothing is withheld. */
  public static String list(Collection<Key> withheld) {
    String text =
        new TreeSet<>(withheld)
            .stream()
                .map(key -> key.toString().replace("%", "%25").replace(",", "%2C"))
                .collect(Collectors.joining(","));
    return text.length() > WITHHELD_MAX_CHARS ? EVERYTHING : text;
  }

  /** The reverse of {@link #list}, within the keys of a record. */
  public static Set<Key> keys(@Nullable String list, Collection<Key> ofRecord) {
    if (list == null || list.isEmpty()) {
      return Set.of();
    }
    if (list.equals(EVERYTHING)) {
      return new TreeSet<>(ofRecord);
    }
    return Arrays.stream(list.split(",", -1))
        .map(text -> text.replace("%2C", ",").replace("%25", "%"))
        .flatMap(text -> Key.parse(text).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String mac(String nonce, String uid, String withheld) {
    try {
      Mac hmac = Mac.getInstance("HmacSHA256");
      hmac.init(new SecretKeySpec(bytes(nonce.isEmpty() ? "-" : nonce), "HmacSHA256"));
      byte[] mac = hmac.doFinal(bytes(uid + "\n" + withheld));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(mac);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
