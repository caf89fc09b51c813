package dev.nodekeeper.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.FakeApi;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LeaseSharingTest {
  private final FakeApi api = new FakeApi();
  private final MemoryLeases server = new MemoryLeases();
  private final CountDownLatch hang = new CountDownLatch(1);
  private final AtomicInteger changes = new AtomicInteger();
  private @Nullable LeaseSharing sharing;

  @AfterEach
  void end() {
    hang.countDown();
    if (sharing != null) {
      sharing.close();
    }
  }

  private LeaseSharing start(int shards, Runnable changed) {
    api.server = server::answer;
    LeaseSharing started =
        new LeaseSharing(
            api,
            new Layout("ns", "nodekeeper", shards),
            ReplicaName.unique(),
            new Terms(2),
            new Hooks(() -> true, _ -> true, _ -> true, changed, () -> {}, () -> {}),
            InstantSource.system());
    started.start();
    sharing = started;
    return started;
  }

  private void hang() {
    api.server =
        call -> {
          try {
            hang.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          throw FakeApi.unreachable();
        };
  }

  @Test
  @DisplayName("64 leases are taken, told once each way, and released by close")
  void life() {
    LeaseSharing all = start(64, changes::incrementAndGet);
    await().until(() -> all.current().owned().cardinality() == 64);
    assertThat(changes.get()).isPositive();
    assertThat(all.problem()).isEmpty();
    all.close();
    assertThat(all.current().owned().isEmpty()).isTrue();
    assertThat(server.all().values())
        .hasSize(64)
        .allMatch(lease -> lease.path("spec").path("holderIdentity").asText("?").isEmpty());
  }

  @Test
  @DisplayName("a server that never answers, and no time-out that works: we own nothing any more")
  void hangs() {
    LeaseSharing one = start(1, changes::incrementAndGet);
    await().until(() -> one.current().owns(0));
    Holdings last = one.current();
    hang();
    await().until(() -> !one.current().owns(0));
    assertThat(last.owns(0)).as("also in the eyes of who never looked again").isFalse();
    assertThat(one.problem()).as("a restart would not help").isEmpty();

    long began = System.nanoTime();
    one.close();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  @DisplayName("a dead thread is a problem that a restart solves")
  void dead() {
    LeaseSharing one =
        start(
            1,
            () -> {
              throw new IllegalStateException("a bug");
            });
    await().until(() -> one.problem().isPresent());
    assertThat(one.problem().orElseThrow()).contains("died").contains("a bug");
    await().until(() -> !one.current().owns(0));
  }

  @Test
  @DisplayName("without leases everything is ours until we stop")
  void none() {
    Sharing none = Sharing.none();
    assertThat(none.current().count()).isEqualTo(1);
    assertThat(none.current().owns(0)).isTrue();
    assertThat(none.current().since(0)).isZero();
    none.close();
    assertThat(none.current().owns(0)).isFalse();
  }

  @Test
  @DisplayName("each start of a process has a name of its own")
  void names() {
    assertThat(ReplicaName.unique()).isNotEqualTo(ReplicaName.unique()).matches(".+_[0-9a-f]{16}");
  }
}
