package dev.nodekeeper.look;

/**
 * Text from a cluster as it may be shown on a terminal: an annotation can hold anything, also
 * sequences that rewrite the screen.
 */
public final class Printable {
  private static final int MAX = 60;

  private Printable() {}

  /** At most as long as fits into a column. */
  public static String of(String text) {
    return text.codePointCount(0, text.length()) <= MAX
        ? line(text)
        : line(text.substring(0, text.offsetByCodePoints(0, MAX))) + "...";
  }

  /** The whole text, on one line. */
  public static String line(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .forEach(
            point -> {
              if (harmless(point)) {
                shown.appendCodePoint(point);
              } else {
                shown.append("\\u%04x".formatted(point));
              }
            });
    return shown.toString();
  }

  private static boolean harmless(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
