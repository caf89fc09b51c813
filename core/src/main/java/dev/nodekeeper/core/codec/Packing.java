package dev.nodekeeper.core.codec;

import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Varint;
import dev.nodekeeper.core.model.Version;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes what {@link Unpacking} reads; both stay inside one process, so the form may change. */
final class Packing {
  /** How a text is written that is not simply its length and its bytes. */
  enum Form {
    /** A uid: 16 bytes instead of 36. */
    UUID,
    /** A short nonce: 16 bytes instead of 22. */
    BASE64_16,
    /** A nonce of ours: 32 bytes instead of 43. */
    BASE64_32,
    /** A time: six bytes instead of 24. */
    TIME,
    /** The one that everything is bound to. */
    SAME_UID,
    /** Half a surrogate pair, which only a person's escapes in a record can bring. */
    UTF16
  }

  /** Numbers below are forms, others lengths. */
  static final int FORMS = Form.values().length;

  private static final String TIME = "0000-00-00T00:00:00.000Z";

  static final int BITS_128 = 16;
  static final int BITS_256 = 32;

  private final NodeRecord record;
  private ByteBuffer out = ByteBuffer.allocate(256);

  Packing(NodeRecord record) {
    this.record = record;
  }

  byte[] pack() {
    other(record.uid());
    origin(record.origin());
    text(record.capturedAt());
    number(record.current() == null ? 0 : 1);
    if (record.current() != null) {
      version(record.current());
    }
    number(record.versions().size());
    record.versions().forEach(this::version);
    number(record.words().first());
    number(record.words().gone());
    number(record.words().keys().size());
    record
        .words()
        .keys()
        .forEach(
            (key, rv) -> {
              key(key);
              number(rv);
            });
    number(record.withheld().size());
    record.withheld().forEach(this::key);
    texts(record.notes());
    texts(record.foreignRecord());
    texts(record.foreignState());
    return Arrays.copyOf(out.array(), out.position());
  }

  private void origin(Origin origin) {
    text(origin.uid());
    text(origin.foreign());
    number(origin.awaySince());
    number(origin.exempt() ? 1 : 0);
  }

  /** Its content as what differs from the record's. */
  private void version(Version version) {
    number(version.generation());
    text(version.nonce());
    text(version.uid());
    number(version.rv());
    Collection<Key> changed = record.content().changed(version.content());
    number(changed.size());
    for (Key key : changed) {
      key(key);
      String value = version.content().get(key);
      number(value == null ? 0 : 1);
      text(value == null ? "" : value);
    }
  }

  /** Most are of the record's content: their place there, from 1. */
  private void key(Key key) {
    int place = Collections.binarySearch(record.content().keys(), key);
    number(place < 0 ? 0 : place + 1);
    if (place < 0) {
      number(key.kind().ordinal());
      text(key.name());
      text(key.effect());
    }
  }

  private void texts(Collection<String> texts) {
    number(texts.size());
    texts.forEach(this::text);
  }

  private void texts(Map<String, String> texts) {
    number(texts.size());
    texts.forEach(
        (key, value) -> {
          text(key);
          text(value);
        });
  }

  private void text(String text) {
    if (text.equals(record.uid())) {
      number(Form.SAME_UID.ordinal());
    } else {
      other(text);
    }
  }

  private void other(String text) {
    byte[] uuid = uuid(text);
    byte[] nonce = base64(text);
    long millis = millis(text);
    if (uuid != null) {
      number(Form.UUID.ordinal());
      bytes(uuid);
    } else if (nonce != null) {
      number((nonce.length == BITS_128 ? Form.BASE64_16 : Form.BASE64_32).ordinal());
      bytes(nonce);
    } else if (millis != 0) {
      number(Form.TIME.ordinal());
      number(millis);
    } else if (hasSurrogates(text)) {
      number(Form.UTF16.ordinal());
      number(text.length());
      text.chars().forEach(this::number);
    } else {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      number(FORMS + bytes.length);
      bytes(bytes);
    }
  }

  private static boolean hasSurrogates(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  private void number(long number) {
    makeRoom(Varint.MOST);
    Varint.put(out, number);
  }

  private void bytes(byte[] more) {
    makeRoom(more.length);
    out.put(more);
  }

  private void makeRoom(int count) {
    if (out.remaining() < count) {
      ByteBuffer larger = ByteBuffer.allocate(2 * out.capacity() + count);
      out = larger.put(out.flip());
    }
  }

  /** Null where the text is not exactly what the bytes would be read as. */
  private static byte @Nullable [] uuid(String text) {
    if (text.length() != 36 || text.charAt(8) != '-') {
      return null;
    }
    try {
      UUID uuid = UUID.fromString(text);
      return uuid.toString().equals(text)
          ? ByteBuffer.allocate(BITS_128)
              .putLong(uuid.getMostSignificantBits())
              .putLong(uuid.getLeastSignificantBits())
              .array()
          : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Likewise, by hand since the JDK's formatter takes far longer; 0 where it is none. */
  private static long millis(String text) {
    if (!isTime(text)) {
      return 0;
    }
    try {
      return LocalDateTime.of(
                      digits(text, 0, 4),
                      digits(text, 5, 7),
                      digits(text, 8, 10),
                      digits(text, 11, 13),
                      digits(text, 14, 16),
                      digits(text, 17, 19))
                  .toEpochSecond(ZoneOffset.UTC)
              * 1000
          + digits(text, 20, 23);
    } catch (DateTimeException e) {
      return 0;
    }
  }

  /** With milliseconds, unless they are zero: those {@link java.time.Instant} leaves out. */
  private static boolean isTime(String text) {
    if (text.length() != TIME.length() || text.startsWith(".000", 19)) {
      return false;
    }
    for (int i = 0; i < TIME.length(); i++) {
      char form = TIME.charAt(i);
      char c = text.charAt(i);
      if (form == '0' ? c < '0' || c > '9' : c != form) {
        return false;
      }
    }
    return true;
  }

  private static int digits(String text, int from, int to) {
    return Integer.parseInt(text, from, to, 10);
  }

  private static byte @Nullable [] base64(String text) {
    if (text.length() != 22 && text.length() != 43) {
      return null;
    }
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(text)
          ? bytes
          : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
