package dev.nodekeeper.core.model;

import java.nio.ByteBuffer;

/** Numbers of seven bits a byte, the lowest first: most of what is packed is small. */
public final class Varint {
  /** Bytes that the largest, or a negative one, takes. */
  public static final int MOST = 10;

  private Varint() {}

  public static void put(ByteBuffer out, long number) {
    long rest = number;
    for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
      out.put((byte) (rest & 0x7f | 0x80));
    }
    out.put((byte) rest);
  }

  public static long get(ByteBuffer in) {
    long number = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      number |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return number;
      }
    }
  }
}
