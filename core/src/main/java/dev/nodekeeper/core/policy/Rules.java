package dev.nodekeeper.core.policy;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the Kubernetes API server (1.36) accepts as a key, a value, a taint effect or a node name.
 *
 * <p>Each check answers null when the value is valid, or a short reason. The rules are those of
 * {@code k8s.io/apimachinery/pkg/api/validate/content} and {@code pkg/api/validation}; lengths are
 * counted in UTF-8 bytes, as Go counts them. Plain loops, because a regular expression on a value
 * of 256 KiB may run out of stack.
 */
public final class Rules {

  /** All keys and values of an object's annotations together, in bytes. */
  public static final int ANNOTATIONS_MAX_BYTES = 256 * 1024;

  private static final int NAME_MAX_BYTES = 63;
  private static final int SUBDOMAIN_MAX_BYTES = 253;

  /** Labels of the {@code kubernetes.io} namespace which a kubelet may set on its own node. */
  private static final Set<String> KUBELET_LABELS =
      Set.of(
          "beta.kubernetes.io/arch",
          "beta.kubernetes.io/instance-type",
          "beta.kubernetes.io/os",
          "failure-domain.beta.kubernetes.io/region",
          "failure-domain.beta.kubernetes.io/zone",
          "kubernetes.io/arch",
          "kubernetes.io/hostname",
          "kubernetes.io/os",
          "node.kubernetes.io/instance-type",
          "topology.kubernetes.io/region",
          "topology.kubernetes.io/zone");

  private Rules() {}

  public static @Nullable String labelKey(String key) {
    return qualifiedName(key);
  }

  /** May be empty. */
  public static @Nullable String labelValue(String value) {
    return value.isEmpty() ? null : name("value", value);
  }

  /** As a label key, except that case does not matter. */
  public static @Nullable String annotationKey(String key) {
    return qualifiedName(lowerCase(key));
  }

  public static @Nullable String taintKey(String key) {
    return qualifiedName(key);
  }

  /** May be empty. */
  public static @Nullable String taintValue(String value) {
    return labelValue(value);
  }

  public static @Nullable String taintEffect(String effect) {
    return switch (effect) {
      case "NoSchedule", "PreferNoSchedule", "NoExecute" -> null;
      default -> "effect must be NoSchedule, PreferNoSchedule or NoExecute";
    };
  }

  public static @Nullable String nodeName(String name) {
    return subdomain("name", name);
  }

  /** What the annotations weigh against {@link #ANNOTATIONS_MAX_BYTES}. */
  public static long annotationBytes(Map<String, String> annotations) {
    long bytes = 0;
    for (Map.Entry<String, String> annotation : annotations.entrySet()) {
      bytes += utf8Bytes(annotation.getKey()) + utf8Bytes(annotation.getValue());
    }
    return bytes;
  }

  /**
   * Whether the NodeRestriction admission plugin forbids a kubelet to set this label on its own
   * node, so that only somebody else can have put it there.
   */
  public static boolean reserved(String labelKey) {
    int slash = labelKey.indexOf('/');
    if (slash < 0) {
      return false;
    }
    String namespace = labelKey.substring(0, slash);
    if (within(namespace, "node-restriction.kubernetes.io")) {
      return true;
    }
    if (!within(namespace, "kubernetes.io") && !within(namespace, "k8s.io")) {
      return false;
    }
    return !KUBELET_LABELS.contains(labelKey)
        && !within(namespace, "kubelet.kubernetes.io")
        && !within(namespace, "node.kubernetes.io");
  }

  static boolean alphanumeric(char c) {
    return lowerAlphanumeric(c) || (c >= 'A' && c <= 'Z');
  }

  private static @Nullable String qualifiedName(String key) {
    int slash = key.indexOf('/');
    if (slash < 0) {
      return name("key", key);
    }
    if (key.indexOf('/', slash + 1) >= 0) {
      return "key must have at most one '/'";
    }
    String reason = subdomain("prefix of the key", key.substring(0, slash));
    return reason != null ? reason : name("name part of the key", key.substring(slash + 1));
  }

  /** {@code ([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]} of at most 63 bytes. */
  private static @Nullable String name(String what, String name) {
    String reason = size(what, name, NAME_MAX_BYTES);
    if (reason != null) {
      return reason;
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!alphanumeric(c) && c != '-' && c != '_' && c != '.') {
        return what + " may only have letters, digits, '-', '_' and '.'";
      }
    }
    return alphanumeric(name.charAt(0)) && alphanumeric(name.charAt(name.length() - 1))
        ? null
        : what + " must start and end with a letter or digit";
  }

  /**
   * {@code [a-z0-9]([-a-z0-9]*[a-z0-9])?} parted by dots, at most 253 bytes.
   *
   * <p>NB: a part may be longer than the 63 bytes DNS allows; the API server does not mind.
   */
  private static @Nullable String subdomain(String what, String name) {
    String reason = size(what, name, SUBDOMAIN_MAX_BYTES);
    if (reason != null) {
      return reason;
    }
    char before = '.';
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!lowerAlphanumeric(c) && c != '-' && c != '.') {
        return what + " may only have lower case letters, digits, '-' and '.'";
      }
      if ((c == '.' && !lowerAlphanumeric(before)) || (c == '-' && before == '.')) {
        return ends(what);
      }
      before = c;
    }
    return lowerAlphanumeric(before) ? null : ends(what);
  }

  private static String ends(String what) {
    return what + " must start and end with a lower case letter or digit, and so must each part";
  }

  private static @Nullable String size(String what, String text, int max) {
    if (text.isEmpty()) {
      return what + " must not be empty";
    }
    return utf8Bytes(text) > max ? what + " must be no more than " + max + " bytes" : null;
  }

  private static boolean within(String namespace, String domain) {
    return namespace.endsWith(domain)
        && (namespace.length() == domain.length()
            || namespace.charAt(namespace.length() - domain.length() - 1) == '.');
  }

  private static boolean lowerAlphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  }

  /**
   * NB: as Go lowers, one code point for one. {@code String.toLowerCase} makes two of U+0130, which
   * the API server takes for an "i".
   */
  private static String lowerCase(String text) {
    StringBuilder lower = new StringBuilder(text.length());
    text.codePoints().map(Character::toLowerCase).forEach(lower::appendCodePoint);
    return lower.toString();
  }

  private static long utf8Bytes(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes += 1;
      } else if (c < 0x800) {
        bytes += 2;
      } else if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        bytes += 4;
        i++;
      } else {
        bytes += 3;
      }
    }
    return bytes;
  }
}
