package dev.nodekeeper.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StreamLinesTest {
  private static final URI SERVER = URI.create("https://10.0.0.1:6443");

  @Test
  @DisplayName("lines come whole, however long and however cut into pieces")
  void whole() throws Exception {
    String big = "x".repeat(300_000);
    try (Lines lines = lines(pieces("a\n" + big + "\n\nc\n", 7000))) {
      assertThat(lines.next()).asString().isEqualTo("a");
      assertThat(lines.next()).asString().isEqualTo(big);
      assertThat(lines.next()).isEmpty();
      assertThat(lines.next()).asString().isEqualTo("c");
      assertThat(lines.next()).isNull();
    }
  }

  @Test
  @DisplayName("half a line at the end is no line")
  void half() throws Exception {
    try (Lines lines = lines(pieces("{\"a\":1}\n{\"b\":", 4))) {
      assertThat(lines.next()).asString().isEqualTo("{\"a\":1}");
      assertThat(lines.next()).isNull();
    }
  }

  @Test
  @DisplayName("a cut names the server")
  void cut() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("reset by peer");
          }
        };

    assertThatThrownBy(() -> lines(broken).next())
        .isInstanceOf(UnreachableException.class)
        .hasMessage("No answer from https://10.0.0.1:6443: the watch was cut: reset by peer");
  }

  @Test
  @DisplayName("what comes one by one is read a few at a time, in order")
  void gathered() throws Exception {
    var trickle = new Trickle(100);
    try (Lines lines = lines(trickle)) {
      for (int i = 0; i < 100; i++) {
        assertThat(lines.next()).asString().isEqualTo(Integer.toString(i));
      }
    }
    assertThat(trickle.reads).isLessThan(50);
  }

  @Test
  @DisplayName("a flood is read without a pause")
  @Timeout(60)
  void flood() throws Exception {
    int count = 20_000;
    try (Lines lines = lines(pieces("x\n".repeat(count), 2))) {
      for (int i = 0; i < count; i++) {
        assertThat(lines.next()).isNotNull();
      }
      assertThat(lines.next()).isNull();
    }
  }

  /** A line every three milliseconds, as the heartbeats of 100,000 nodes. */
  private static final class Trickle extends InputStream {
    private static final long EVERY_NANOS = 3_000_000;

    private final int count;
    private final long began = System.nanoTime();
    private int sent;
    private int reads;

    Trickle(int count) {
      this.count = count;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      reads++;
      StringBuilder text = new StringBuilder();
      while (text.isEmpty()) {
        for (; sent < count && due(); sent++) {
          text.append(sent).append('\n');
        }
        LockSupport.parkNanos(text.isEmpty() ? EVERY_NANOS / 10 : 0);
      }
      byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
      System.arraycopy(bytes, 0, into, offset, bytes.length);
      return bytes.length;
    }

    private boolean due() {
      return System.nanoTime() - began > sent * EVERY_NANOS;
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException("one by one");
    }
  }

  private static Lines lines(InputStream in) {
    return new StreamLines(in, SERVER);
  }

  private static InputStream pieces(String text, int size) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
      @Override
      public synchronized int read(byte[] into, int offset, int length) {
        byte[] piece = new byte[Math.min(size, length)];
        int count = super.read(piece, 0, piece.length);
        if (count > 0) {
          System.arraycopy(Arrays.copyOf(piece, count), 0, into, offset, count);
        }
        return count;
      }
    };
  }
}
