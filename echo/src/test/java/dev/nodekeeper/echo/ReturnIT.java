package dev.nodekeeper.echo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.testbed.fault.Match;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The framework, left to remove the finalizer, would overlook the new one. See the README. */
@DisplayName("A new Echo takes the name while the old one's last reply is still on its way")
final class ReturnIT {

  @Test
  @DisplayName("the new one gets its finalizer, its children and its status all the same")
  void sameName() throws Exception {
    try (var world = new World()) {
      var proxy = world.proxy();
      world.operator(proxy);
      world.create("e", "{\"text\": \"old\", \"replicas\": 1}").expect();
      world.awaitSettled("e");
      var last =
          proxy
              .on(Match.patch(world.echo("e")).and(call -> call.body().contains("\"remove\"")))
              .first()
              .holdReply();
      var heard = new CountDownLatch(1);
      proxy
          .on(Match.watch("echoes"))
          .edit(
              frame -> {
                if (frame.is("ADDED", "e")) {
                  heard.countDown();
                }
                return List.of(frame);
              });
      world.admin().delete(world.echo("e")).expect();
      World.until(() -> assertThat(world.admin().get(world.echo("e")).code()).isEqualTo(404));
      world.create("e", "{\"text\": \"new\", \"replicas\": 1}").expect();
      assertThat(heard.await(60, TimeUnit.SECONDS)).isTrue();
      // Passed on is not yet read; a client that waits for 10 s gives up.
      Thread.sleep(Duration.ofMillis(500));
      last.release();
      world.awaitSettled("e");
      assertThat(text(world)).isEqualTo("-text=new");
      // Only the child changes here: a framework that takes the new Echo for a deleted one does not
      // listen. More than once, since the thread that waited ends when it likes.
      for (int round = 0; round < 3; round++) {
        var old = world.admin().get(world.deployment("e")).uid();
        world.admin().delete(world.deployment("e")).expect();
        World.until(
            () ->
                assertThat(
                        world
                            .admin()
                            .get(world.deployment("e"))
                            .expect()
                            .at("/metadata/uid")
                            .asText())
                    .isNotEqualTo(old));
      }
      world.change("e", "{\"text\": \"newer\"}").expect();
      World.until(() -> assertThat(text(world)).isEqualTo("-text=newer"));
      world.admin().delete(world.echo("e")).expect();
      world.awaitGone("e");
    }
  }

  private static String text(World world) {
    return world
        .admin()
        .get(world.deployment("e"))
        .expect()
        .at("/spec/template/spec/containers/0/args/0")
        .asText();
  }
}
