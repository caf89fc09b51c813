package dev.nodekeeper.core.model;

import java.util.Locale;
import java.util.Optional;

/**
 * One thing that can be on a node. A taint is known by key and effect; only its value can change,
 * so that labels, taints, annotations and cordon are all merged by the same rules.
 */
public record Key(Kind kind, String name, String effect) implements Comparable<Key> {
  /** Present (with value "true") on a cordoned node. */
  public static final Key CORDON = new Key(Kind.CORDON, "", "");

  public static Key label(String name) {
    return new Key(Kind.LABEL, name, "");
  }

  public static Key annotation(String name) {
    return new Key(Kind.ANNOTATION, name, "");
  }

  public static Key taint(String key, String effect) {
    return new Key(Kind.TAINT, key, effect);
  }

  /** The reverse of {@link #toString}; empty when the text is none of ours. */
  public static Optional<Key> parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      return text.equals("cordon") ? Optional.of(CORDON) : Optional.empty();
    }
    String rest = text.substring(colon + 1);
    return switch (text.substring(0, colon)) {
      case "label" -> Optional.of(label(rest));
      case "annotation" -> Optional.of(annotation(rest));
      case "taint" -> {
        int last = rest.lastIndexOf(':');
        yield last < 0
            ? Optional.empty()
            : Optional.of(taint(rest.substring(0, last), plain(rest.substring(last + 1))));
      }
      default -> Optional.empty();
    };
  }

  @Override
  public int compareTo(Key other) {
    int order = kind.compareTo(other.kind);
    if (order == 0) {
      order = name.compareTo(other.name);
    }
    return order == 0 ? effect.compareTo(other.effect) : order;
  }

  @Override
  public String toString() {
    return switch (kind) {
      case CORDON -> "cordon";
      case TAINT -> "taint:" + name + ":" + escaped(effect);
      case LABEL, ANNOTATION -> kind.name().toLowerCase(Locale.ROOT) + ":" + name;
    };
  }

  /** No real effect has a colon, but people may write one into a record. */
  private static String escaped(String effect) {
    return effect.replace("%", "%25").replace(":", "%3A");
  }

  private static String plain(String escaped) {
    return escaped.replace("%3A", ":").replace("%25", "%");
  }
}
