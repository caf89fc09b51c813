package dev.nodekeeper.cli.look;

import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.look.Printable;
import java.util.Locale;
import java.util.Optional;

/** One key of a node or record, for a column. */
final class Keys {
  private Keys() {}

  static String kind(Key key) {
    return key.kind().name().toLowerCase(Locale.ROOT);
  }

  static String name(Key key) {
    return key.effect().isEmpty() ? key.name() : key.name() + ":" + key.effect();
  }

  /** A dash for what is absent; quotes where an empty value would look like that. */
  static String value(Optional<Content> side, Key key) {
    String value = side.orElse(Content.EMPTY).get(key);
    return value == null ? "-" : value.isEmpty() ? "\"\"" : Printable.of(value);
  }
}
