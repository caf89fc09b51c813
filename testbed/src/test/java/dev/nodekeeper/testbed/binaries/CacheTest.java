package dev.nodekeeper.testbed.binaries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The cache is filled by one run at a time")
class CacheTest {

  @TempDir Path folder;

  @Test
  @DisplayName("two threads of one JVM take turns")
  void threads() throws Exception {
    var inside = new AtomicInteger();
    var most = new AtomicInteger();
    var cache = new Cache(folder);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 8; i++) {
        threads.submit(
            () -> {
              cache.fill(
                  _ -> {},
                  scratch -> {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    assertThat(scratch).isEmptyDirectory();
                    Thread.yield();
                    inside.decrementAndGet();
                  });
              return null;
            });
      }
    }
    assertThat(most).hasValue(1);
  }

  @Test
  @DisplayName("a second process waits for the first, says so, and then goes on")
  void processes() throws Exception {
    var other = new OtherJvm(Holder.class, folder.toString());
    try (other) {
      assertThat(other.nextLine()).isEqualTo("locked");
      var seen = new CopyOnWriteArrayList<String>();
      var waiter =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      new Cache(folder).fill(seen::add, _ -> seen.add("mine"));
                    } catch (IOException | InterruptedException e) {
                      seen.add(e.toString());
                    }
                  });
      await().until(() -> !seen.isEmpty());
      assertThat(seen).singleElement().asString().startsWith("another run");
      other.endInput();
      waiter.join();
      assertThat(seen).hasSize(2).endsWith("mine");
    }
  }

  /** Holds the lock until its input ends. */
  static final class Holder {
    public static void main(String[] arguments) throws Exception {
      new Cache(Path.of(List.of(arguments).getFirst()))
          .fill(
              _ -> {},
              _ -> {
                System.out.println("locked");
                System.in.transferTo(OutputStream.nullOutputStream());
              });
    }
  }
}
