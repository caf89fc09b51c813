package dev.nodekeeper.watch;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Protobuf as the API server writes it. */
final class Written {
  private Written() {}

  /** An object as it is sent. */
  static byte[] enveloped(byte[] object) throws IOException {
    byte[] kind = message(1, text(1, "v1"), text(2, "Any"));
    return fields(new byte[] {'k', '8', 's', 0}, kind, message(2, object), text(3, ""));
  }

  static byte[] text(int field, String value) throws IOException {
    return message(field, value.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] message(int field, byte[]... parts) throws IOException {
    return write(out -> out.writeByteArray(field, fields(parts)));
  }

  static byte[] number(int field, int value) throws IOException {
    return write(out -> out.writeInt32(field, value));
  }

  static byte[] fields(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /** Writes one field. */
  @FunctionalInterface
  private interface Writer {
    void to(CodedOutputStream out) throws IOException;
  }

  static byte[] write(Writer writer) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = CodedOutputStream.newInstance(bytes);
    writer.to(out);
    out.flush();
    return bytes.toByteArray();
  }
}
