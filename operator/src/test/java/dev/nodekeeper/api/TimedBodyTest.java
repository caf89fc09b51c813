package dev.nodekeeper.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TimedBodyTest {
  private static final URI SERVER = URI.create("https://server");

  /** Says nothing until it is closed, as the JDK's bodies do. */
  private static final class Silent extends InputStream {
    private final CountDownLatch closed = new CountDownLatch(1);

    @Override
    public int read() throws IOException {
      try {
        closed.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      throw new IOException("closed");
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      return read();
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }

  @Test
  @DisplayName("a body that stops arriving ends when its time is up")
  void silent() throws IOException {
    var silent = new Silent();
    try (var body = new TimedBody(silent, silent, SERVER, Duration.ofMillis(20))) {
      assertThatThrownBy(body::readAllBytes)
          .isInstanceOf(UnreachableException.class)
          .hasMessageContaining("not all of it within 0.02 s");
    }
  }

  @Test
  @DisplayName("a body in time is read as it is")
  void whole() throws IOException {
    byte[] bytes = {1, 2, 3};
    var whole = new ByteArrayInputStream(bytes);
    try (var body = new TimedBody(whole, whole, SERVER, Duration.ofHours(1))) {
      assertThat(body.readAllBytes()).isEqualTo(bytes);
    }
  }

  @Test
  @DisplayName("a cut connection is no broken list")
  void cut() throws IOException {
    var silent = new Silent();
    silent.close();
    try (var body = new TimedBody(silent, silent, SERVER, Duration.ofHours(1))) {
      assertThatThrownBy(body::read)
          .isInstanceOf(UnreachableException.class)
          .hasMessageContaining("cut: closed");
    }
  }
}
