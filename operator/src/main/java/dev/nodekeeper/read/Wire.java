package dev.nodekeeper.read;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Opens the API server's protobuf and walks through it: half the bytes of JSON, and what does not
 * matter is skipped without a look. Field numbers are those of the API's {@code generated.proto}
 * files, which never change.
 */
public final class Wire {
  /** Before each object, by which it is told from JSON. */
  private static final byte[] MAGIC = {'k', '8', 's', 0};

  private Wire() {}

  /** What to do with one field; false where it is to be skipped. */
  @FunctionalInterface
  public interface Field {
    boolean read(int number, CodedInputStream value) throws IOException;
  }

  /** Whether a body that begins so is JSON. */
  public static boolean isJson(int first) {
    return first == '{';
  }

  /** Whether this is an object in its envelope. */
  public static boolean isObject(byte[] bytes) {
    return bytes.length > MAGIC.length
        && Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  public static CodedInputStream open(byte[] bytes) {
    return CodedInputStream.newInstance(bytes);
  }

  /** The same, while it arrives. */
  public static CodedInputStream open(InputStream bytes) {
    return CodedInputStream.newInstance(bytes, 1 << 16);
  }

  /** What to make of a message; it is read up to its end. */
  @FunctionalInterface
  public interface Message<T> {
    T read(CodedInputStream message) throws IOException;
  }

  /** An object in its envelope: the magic, its kind, then itself. */
  public static <T> T object(CodedInputStream in, Message<T> object) throws IOException {
    if (!Arrays.equals(in.readRawBytes(MAGIC.length), MAGIC)) {
      throw new UnreadableObjectException("neither JSON nor protobuf of the API server");
    }
    return only(in, 2, object);
  }

  /** What this field of the message holds; the others are skipped. */
  public static <T> T only(CodedInputStream in, int number, Message<T> wanted) throws IOException {
    T found = null;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == number) {
        found = within(in, wanted);
      } else {
        in.skipField(tag);
      }
    }
    if (found == null) {
      throw new UnreadableObjectException("a message without its field " + number);
    }
    return found;
  }

  /**
   * The message that follows.
   *
   * <p>NB: for the library the end of the stream is the end of every message: half a list would be
   * a list.
   */
  public static <T> T within(CodedInputStream in, Message<T> message) throws IOException {
    int outer = in.pushLimit(in.readRawVarint32());
    T read = message.read(in);
    if (in.getBytesUntilLimit() != 0) {
      throw new UnreadableObjectException("only a part of what was announced");
    }
    in.popLimit(outer);
    return read;
  }

  /** Walks through the message that follows; always true, for it has been read. */
  public static boolean message(CodedInputStream in, Field field) throws IOException {
    return within(
        in,
        message -> {
          fields(message, field);
          return true;
        });
  }

  /** Up to the end of the message. */
  public static void fields(CodedInputStream in, Field field) throws IOException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (!field.read(WireFormat.getTagFieldNumber(tag), in)) {
        in.skipField(tag);
      }
    }
  }

  /** What to do with an entry of a map. */
  @FunctionalInterface
  public interface Entry {
    void read(String key, String value);
  }

  public static boolean entry(CodedInputStream in, Entry entry) throws IOException {
    String[] pair = {"", ""};
    message(
        in,
        (number, value) -> {
          if (number > 2) {
            return false;
          }
          pair[number - 1] = value.readString();
          return true;
        });
    entry.read(pair[0], pair[1]);
    return true;
  }

  /** Of any object: its resourceVersion, empty where it has none. */
  public static String revision(CodedInputStream object) throws IOException {
    return only(object, 1, metadata -> text(metadata, 6));
  }

  /** Up to the end of the message: the text of one field, empty where it has none. */
  public static String text(CodedInputStream message, int number) throws IOException {
    String[] text = {""};
    fields(
        message,
        (found, value) -> {
          if (found != number) {
            return false;
          }
          text[0] = value.readString();
          return true;
        });
    return text[0];
  }
}
