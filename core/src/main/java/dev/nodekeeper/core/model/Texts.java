package dev.nodekeeper.core.model;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A few short texts in one array, because there are 100,000 of them: most of what they take is
 * their objects. What a text ends with is packed where it is read back as exactly the same. Equal
 * texts are equal arrays.
 */
final class Texts {
  private static final String UUID_SHAPE = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  private static final String HEX_SHAPE = "x".repeat(32);
  private static final int MAC_CHARS = 43;

  /** The last character of a mac stands for four bits, the others for six. */
  private static final String MAC_ENDS = "AEIMQUYcgkosw048";

  /** How the text, or its end, is written; what is before the end is Latin-1. */
  private enum Form {
    ABSENT(0),
    LATIN1(0),
    UTF16(0),
    /** Of an incarnation, of a machine. */
    UUID(16),
    /** A machine's id. */
    HEX(16),
    /** A dot and the mac of a marker. */
    MAC(32);

    final int bytes;

    Form(int bytes) {
      this.bytes = bytes;
    }
  }

  private static final Form[] FORMS = Form.values();

  /** Bytes of form and length. */
  private static final int HEAD_MOST = 5;

  private Texts() {}

  static byte[] pack(@Nullable String... texts) {
    int present = texts.length;
    while (present > 0 && texts[present - 1] == null) {
      present--;
    }
    int most = 0;
    for (int i = 0; i < present; i++) {
      most += HEAD_MOST + (texts[i] == null ? 0 : 2 * texts[i].length());
    }
    ByteBuffer out = ByteBuffer.allocate(most);
    for (int i = 0; i < present; i++) {
      write(out, texts[i]);
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  static @Nullable String get(byte[] packed, int index) {
    ByteBuffer in = at(packed, index);
    return in.hasRemaining() ? read(in) : null;
  }

  static boolean has(byte[] packed, int index) {
    ByteBuffer in = at(packed, index);
    return in.hasRemaining() && form(Varint.get(in)) != Form.ABSENT;
  }

  /** Whether both begin with the same text. */
  static boolean sameFirst(byte[] one, byte[] other) {
    int end = at(one, 1).position();
    return end == at(other, 1).position() && Arrays.equals(one, 0, end, other, 0, end);
  }

  // ---- writing

  private static void write(ByteBuffer out, @Nullable String text) {
    if (text == null) {
      head(out, Form.ABSENT, "", 0);
    } else if (!isLatin1(text)) {
      head(out, Form.UTF16, "", text.length());
      text.chars().forEach(c -> out.putChar((char) c));
    } else if (!ends(out, text, Form.UUID, hex(text, UUID_SHAPE), UUID_SHAPE.length())
        && !ends(out, text, Form.HEX, hex(text, HEX_SHAPE), HEX_SHAPE.length())
        && !ends(out, text, Form.MAC, mac(text), 1 + MAC_CHARS)) {
      head(out, Form.LATIN1, text, text.length());
    }
  }

  private static boolean ends(
      ByteBuffer out, String text, Form form, byte @Nullable [] end, int chars) {
    if (end == null) {
      return false;
    }
    head(out, form, text, text.length() - chars);
    out.put(end);
    return true;
  }

  /** Form and length in one number: most are one byte. */
  private static void head(ByteBuffer out, Form form, String text, int length) {
    Varint.put(out, (long) length * FORMS.length + form.ordinal());
    if (!text.isEmpty()) {
      out.put(text.substring(0, length).getBytes(StandardCharsets.ISO_8859_1));
    }
  }

  private static boolean isLatin1(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0xff) {
        return false;
      }
    }
    return true;
  }

  /** The digits that the text ends with; null where they have another shape, or are upper case. */
  private static byte @Nullable [] hex(String text, String shape) {
    int from = text.length() - shape.length();
    if (from < 0) {
      return null;
    }
    byte[] bytes = new byte[Form.HEX.bytes];
    int digits = 0;
    for (int i = 0; i < shape.length(); i++) {
      char c = text.charAt(from + i);
      if (shape.charAt(i) == '-') {
        if (c != '-') {
          return null;
        }
      } else if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')) {
        bytes[digits / 2] = (byte) (bytes[digits / 2] << 4 | HexFormat.fromHexDigit(c));
        digits++;
      } else {
        return null;
      }
    }
    return bytes;
  }

  private static byte @Nullable [] mac(String text) {
    int dot = text.length() - MAC_CHARS - 1;
    if (dot < 0
        || text.charAt(dot) != '.'
        || MAC_ENDS.indexOf(text.charAt(text.length() - 1)) < 0) {
      return null;
    }
    try {
      return Base64.getUrlDecoder().decode(text.substring(dot + 1));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  // ---- reading

  private static ByteBuffer at(byte[] packed, int index) {
    ByteBuffer in = ByteBuffer.wrap(packed);
    for (int i = 0; i < index && in.hasRemaining(); i++) {
      long head = Varint.get(in);
      int length = length(head) * (form(head) == Form.UTF16 ? 2 : 1);
      in.position(in.position() + length + form(head).bytes);
    }
    return in;
  }

  private static @Nullable String read(ByteBuffer in) {
    long head = Varint.get(in);
    return switch (form(head)) {
      case ABSENT -> null;
      case LATIN1 -> latin1(in, length(head));
      case UTF16 -> {
        char[] chars = new char[length(head)];
        in.asCharBuffer().get(chars);
        yield new String(chars);
      }
      case UUID -> latin1(in, length(head)) + new UUID(in.getLong(), in.getLong());
      case HEX -> latin1(in, length(head)) + HexFormat.of().formatHex(bits(in, Form.HEX));
      case MAC ->
          latin1(in, length(head))
              + '.'
              + Base64.getUrlEncoder().withoutPadding().encodeToString(bits(in, Form.MAC));
    };
  }

  private static String latin1(ByteBuffer in, int length) {
    String text = new String(in.array(), in.position(), length, StandardCharsets.ISO_8859_1);
    in.position(in.position() + length);
    return text;
  }

  private static byte[] bits(ByteBuffer in, Form form) {
    byte[] bits = new byte[form.bytes];
    in.get(bits);
    return bits;
  }

  private static Form form(long head) {
    return FORMS[(int) (head % FORMS.length)];
  }

  private static int length(long head) {
    return (int) (head / FORMS.length);
  }
}
