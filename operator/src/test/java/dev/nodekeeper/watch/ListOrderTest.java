package dev.nodekeeper.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.pace.Stop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ListOrderTest {
  private final Stop stop = new Stop();
  private final ListOrder order = new ListOrder();
  private final ListOrder.Place first = order.first();
  private final ListOrder.Place second = order.second();

  @Test
  @DisplayName("the second list is asked for when the first shows its revision, and told after it")
  void overlap() throws Exception {
    CompletableFuture<Integer> turn = waits(() -> second.turn(stop));
    first.begun();
    int mine = turn.get();
    CompletableFuture<Boolean> mayTell = waits(() -> second.mayTell(mine, stop));
    first.told();
    assertThat(mayTell.get()).isTrue();
  }

  @Test
  @DisplayName("the first one never waits")
  void free() {
    assertThat(first.mayTell(first.turn(stop), stop)).isTrue();
  }

  @Test
  @DisplayName("a first list that began anew shows what the second cannot: that is listed again")
  void beganAnew() {
    first.begun();
    int old = second.turn(stop);
    first.begun();
    first.told();
    assertThat(second.mayTell(old, stop)).isFalse();
    assertThat(second.mayTell(second.turn(stop), stop)).isTrue();
  }

  @Test
  @DisplayName("later each is listed again when it must be, whatever the other does")
  void later() {
    first.begun();
    first.told();
    first.begun();
    assertThat(second.mayTell(second.turn(stop), stop)).isTrue();
  }

  @Test
  @DisplayName("the signal to stop ends every wait")
  void stopped() throws Exception {
    CompletableFuture<Integer> turn = waits(() -> second.turn(stop));
    CompletableFuture<Boolean> mayTell = waits(() -> second.mayTell(1, stop));
    stop.signal();
    turn.get();
    mayTell.get();
  }

  /** On a thread that looks some times, and goes on only when it is let. */
  private static <T> CompletableFuture<T> waits(Supplier<T> what) {
    CompletableFuture<T> answer = CompletableFuture.supplyAsync(what);
    assertThat(answer)
        .as("it goes on by itself")
        .failsWithin(Duration.ofMillis(50))
        .withThrowableOfType(TimeoutException.class);
    return answer;
  }
}
