package dev.nodekeeper.it.input;

import java.util.SplittableRandom;

/** Texts at the borders of what a key, a value or a name may be, all from one seed. */
final class Texts {
  private static final int[] BORDERS = {1, 2, 61, 62, 63, 64, 65, 251, 252, 253, 254, 255};
  private static final String LOWER = "abkz019";
  private static final String MIXED = "abkzABKZ019";
  private static final String JOINTS = "-_.";

  /**
   * What does not belong into a name, or only nearly: separators, blanks, control characters, a
   * Kelvin sign and a dotted I (both become ASCII in lower case), full-width and combining letters,
   * bidirectional controls, a character outside the first plane.
   */
  private static final int[] ODD = {
    '/', ':', '=', ',', ' ', '%', '~', '\\', '"', '*', '@', 0, '\t', '\n', '\r', 0x7f, 0x85, 0xa0,
    'ä', 'ß', 0x130, 0x131, 0x17f, 0x212a, 0x2126, 0x301, 0x2028, 0x200b, 0x202e, 0x2066, 0xfeff,
    0xff21, 0xff0f, 0xfffd, 0x1f600, 0x10ffff
  };

  private final SplittableRandom random;

  Texts(SplittableRandom random) {
    this.random = random;
  }

  /** As a label value, or the part of a key behind the slash. */
  String name() {
    return spoiled(filled(MIXED, JOINTS));
  }

  /** As a node name, or the part of a key before the slash. */
  String subdomain() {
    StringBuilder text = new StringBuilder(filled(LOWER, "-."));
    if (chance(8) && !text.isEmpty()) {
      text.setCharAt(at(text.length()), 'B');
    }
    return spoiled(text.toString());
  }

  String key() {
    return switch (random.nextInt(16)) {
      case 0 -> subdomain() + "/" + subdomain() + "/" + name();
      case 1 -> "/" + name();
      case 2 -> subdomain() + "/";
      case 3, 4, 5, 6, 7, 8 -> subdomain() + "/" + name();
      default -> name();
    };
  }

  String effect() {
    return switch (random.nextInt(12)) {
      case 0 -> "";
      case 1 -> "noschedule";
      case 2 -> "NoSchedule ";
      case 3 -> "NoScheduleNoAdmit";
      case 4 -> name();
      case 5, 6 -> "NoExecute";
      case 7, 8 -> "PreferNoSchedule";
      default -> "NoSchedule";
    };
  }

  private String filled(String letters, String joints) {
    int length =
        switch (random.nextInt(20)) {
          case 0 -> 0;
          case 1, 2, 3, 4, 5 -> BORDERS[random.nextInt(BORDERS.length)];
          default -> 1 + random.nextInt(24);
        };
    StringBuilder text = new StringBuilder(length);
    boolean plain = chance(2);
    for (int i = 0; i < length; i++) {
      String from = !plain && chance(5) ? joints : letters;
      text.append(from.charAt(random.nextInt(from.length())));
    }
    return text.toString();
  }

  /** Now and then one character that may not be there, often at an end. */
  private String spoiled(String text) {
    if (!chance(4)) {
      return text;
    }
    String odd =
        chance(8)
            ? Character.toString(0x80 + random.nextInt(0x2f00))
            : Character.toString(ODD[random.nextInt(ODD.length)]);
    int at = at(text.length() + 1);
    // Half of the time in the place of another, so that a text at the limit stays there.
    int end = chance(2) ? Math.min(at + 1, text.length()) : at;
    return text.substring(0, at) + odd + text.substring(end);
  }

  private int at(int length) {
    return switch (random.nextInt(3)) {
      case 0 -> 0;
      case 1 -> length - 1;
      default -> random.nextInt(length);
    };
  }

  private boolean chance(int oneIn) {
    return random.nextInt(oneIn) == 0;
  }
}
