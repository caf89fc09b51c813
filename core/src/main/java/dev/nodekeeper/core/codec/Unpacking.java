package dev.nodekeeper.core.codec;

import dev.nodekeeper.core.codec.Packing.Form;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Identity;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Pool;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.core.model.Varint;
import dev.nodekeeper.core.model.Version;
import dev.nodekeeper.core.model.Words;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;

/** Reads what {@link Packing} wrote. */
final class Unpacking {
  private static final Form[] FORMS = Form.values();
  private static final Kind[] KINDS = Kind.values();

  private final Content present;
  private final String uid;
  private final ByteBuffer packed;

  Unpacking(Content present, byte[] packed) {
    this.present = present;
    this.packed = ByteBuffer.wrap(packed);
    this.uid = text();
  }

  String uid() {
    return uid;
  }

  NodeRecord open(String name, long rv, int size, Identity identity) {
    Origin origin = new Origin(text(), rv, text(), size, number(), number() == 1);
    String capturedAt = text();
    Version current = number() == 0 ? null : version();
    List<Version> versions = new ArrayList<>();
    for (long i = number(); i > 0; i--) {
      versions.add(version());
    }
    long first = number();
    long gone = number();
    Map<Key, Long> words = new HashMap<>();
    for (long i = number(); i > 0; i--) {
      words.put(key(), number());
    }
    Set<Key> withheld = new HashSet<>();
    for (long i = number(); i > 0; i--) {
      withheld.add(key());
    }
    List<String> notes = new ArrayList<>();
    for (long i = number(); i > 0; i--) {
      notes.add(text());
    }
    return new NodeRecord(
        name,
        origin,
        present,
        current,
        versions,
        new Words(first, gone, words),
        withheld,
        identity,
        capturedAt,
        notes,
        texts(),
        texts());
  }

  private Version version() {
    long generation = number();
    String nonce = text();
    String of = text();
    long rv = number();
    long changes = number();
    if (changes == 0) {
      return new Version(generation, nonce, of, rv, present);
    }
    SortedMap<Key, String> content = present.toMap();
    for (; changes > 0; changes--) {
      Key key = key();
      boolean there = number() == 1;
      String value = text();
      if (there) {
        content.put(key, value);
      } else {
        content.remove(key);
      }
    }
    return new Version(generation, nonce, of, rv, Content.of(content));
  }

  private Key key() {
    int place = (int) number();
    if (place > 0) {
      return present.keys().get(place - 1);
    }
    return Pool.one(new Key(KINDS[(int) number()], text(), text()));
  }

  private Map<String, String> texts() {
    long count = number();
    if (count == 0) {
      return Map.of();
    }
    Map<String, String> texts = new LinkedHashMap<>();
    for (; count > 0; count--) {
      texts.put(text(), text());
    }
    return texts;
  }

  private String text() {
    int form = (int) number();
    if (form >= Packing.FORMS) {
      return new String(bits(form - Packing.FORMS), StandardCharsets.UTF_8);
    }
    return switch (FORMS[form]) {
      case SAME_UID -> uid;
      case TIME -> Instant.ofEpochMilli(number()).toString();
      case UUID -> {
        ByteBuffer bytes = ByteBuffer.wrap(bits(Packing.BITS_128));
        yield new UUID(bytes.getLong(), bytes.getLong()).toString();
      }
      case BASE64_16 -> base64(bits(Packing.BITS_128));
      case BASE64_32 -> base64(bits(Packing.BITS_256));
      case UTF16 -> {
        char[] chars = new char[(int) number()];
        for (int i = 0; i < chars.length; i++) {
          chars[i] = (char) number();
        }
        yield new String(chars);
      }
    };
  }

  private byte[] bits(int bytes) {
    byte[] bits = new byte[bytes];
    packed.get(bits);
    return bits;
  }

  private static String base64(byte[] bits) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
  }

  private long number() {
    return Varint.get(packed);
  }
}
