package dev.nodekeeper.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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
  @DisplayName("documents with their length before them come whole as well, line ends and all")
  void measured() throws Exception {
    String big = "\n{".repeat(150_000);
    String all = measured("a\nb") + measured(big) + measured("") + measured("c") + "\0\0\0\2d";
    for (int size : List.of(1, 3, 7000)) {
      try (Lines lines = lines(pieces(all, size))) {
        assertThat(lines.next()).asString().isEqualTo("a\nb");
        assertThat(lines.next()).asString().isEqualTo(big);
        assertThat(lines.next()).isEmpty();
        assertThat(lines.next()).asString().isEqualTo("c");
        assertThat(lines.next()).isNull();
      }
    }
  }

  private static String measured(String text) {
    byte[] length = ByteBuffer.allocate(4).putInt(text.length()).array();
    return new String(length, StandardCharsets.ISO_8859_1) + text;
  }

  @Test
  @DisplayName("a document that was there already is told from one that was waited for")
  void waited() throws Exception {
    AtomicLong nanos = new AtomicLong();
    InputStream late =
        new ByteArrayInputStream(new byte[] {'\n'}) {
          @Override
          public synchronized int read(byte[] into, int offset, int length) {
            nanos.addAndGet(20_000_000);
            return super.read(into, offset, length);
          }
        };
    InputStream slow = new SequenceInputStream(pieces("a\nb\n", 9), late);
    try (Lines lines = new StreamLines(slow, SERVER, nanos::get)) {
      lines.next();
      assertThat(lines.waited()).isFalse();
      lines.next();
      assertThat(lines.waited()).isFalse();
      lines.next();
      assertThat(lines.waited()).isTrue();
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

  private static Lines lines(InputStream in) {
    return new StreamLines(in, SERVER, System::nanoTime);
  }

  private static InputStream pieces(String text, int size) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)) {
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
