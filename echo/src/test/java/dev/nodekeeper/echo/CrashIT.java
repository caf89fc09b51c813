package dev.nodekeeper.echo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.testbed.fault.Call;
import dev.nodekeeper.testbed.fault.FaultProxy;
import dev.nodekeeper.testbed.fault.Match;
import dev.nodekeeper.testbed.fault.Rule.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One life of an Echo for every request in it, and for two moments of each. */
@DisplayName("We die at any request, before it is done or before we hear of it: the same end state")
final class CrashIT {

  @Test
  void everyRequest() throws Exception {
    int requests;
    List<String> reference;
    try (var world = new World()) {
      var proxy = world.proxy();
      world.operator(proxy);
      reference = story(world);
      requests = proxy.count(Match.requests());
    }
    assertThat(reference).contains("echo e1 2 Settled AsExpected", "deployment e1 -text=u 2");
    for (int n = 1; n <= requests; n++) {
      for (var point : List.of(Point.BEFORE_SEND, Point.BEFORE_REPLY)) {
        assertThat(crashedStory(n, point)).isEqualTo(reference);
      }
    }
    System.out.printf("crashed at each of %d requests, at two points of each%n", requests);
  }

  /** The first operator ends at the n-th request; a second one takes over. */
  private static List<String> crashedStory(int n, Point point) throws Exception {
    var hit = new AtomicReference<Call>();
    try (var world = new World()) {
      var proxy = world.proxy();
      var clean = world.proxy();
      var victim = new CompletableFuture<EchoOperator>();
      var after = new CopyOnWriteArrayList<Thread>();
      proxy
          .on(Match.requests())
          .nth(n)
          .runAndCut(
              point,
              call -> {
                hit.set(call);
                // Nothing more of it comes through, whatever it tries while it ends.
                proxy.shut();
                after.add(Thread.ofVirtual().start(() -> replace(world, victim, clean)));
              });
      try {
        victim.complete(world.operator(proxy));
      } catch (RuntimeException e) {
        // It died before it was up.
        victim.completeExceptionally(e);
      }
      var end = story(world);
      for (var thread : after) {
        thread.join();
      }
      return end;
    } catch (Throwable e) {
      throw new AssertionError("crash at request %d, %s: %s".formatted(n, point, hit.get()), e);
    }
  }

  private static void replace(
      World world, CompletableFuture<EchoOperator> victim, FaultProxy clean) {
    victim.handle((first, _) -> first).thenAccept(CrashIT::end).join();
    world.operator(clean);
  }

  private static void end(@Nullable EchoOperator first) {
    if (first != null) {
      Thread.ofVirtual().start(first::close);
    }
  }

  /** Create, change, delete one and keep another; what is left at the end. */
  private static List<String> story(World world) {
    world.create("e1", "{\"text\": \"t\", \"replicas\": 1}").expect();
    world.create("e2", "{\"text\": \"t\", \"replicas\": 1}").expect();
    world.awaitSettled("e1");
    world.awaitSettled("e2");
    world.change("e1", "{\"text\": \"u\", \"replicas\": 2}").expect();
    world.admin().delete(world.echo("e2")).expect();
    world.awaitGone("e2");
    world.awaitSettled("e1");
    var end = new ArrayList<String>();
    for (var echo : world.admin().list(world.echoes())) {
      end.add(
          "echo %s %d %s %s"
              .formatted(
                  echo.at("/metadata/name").asText(),
                  echo.at("/status/readyReplicas").asInt(),
                  echo.at("/status/conditions/1/reason").asText(),
                  echo.at("/status/conditions/2/reason").asText()));
      end.add(echo.at("/metadata/finalizers").toString());
    }
    for (var child :
        world.admin().list("/apis/apps/v1/namespaces/" + world.namespace + "/deployments")) {
      end.add(
          "deployment %s %s %d"
              .formatted(
                  child.at("/metadata/name").asText(),
                  child.at("/spec/template/spec/containers/0/args/0").asText(),
                  child.at("/spec/replicas").asInt()));
    }
    for (var child : world.admin().list("/api/v1/namespaces/" + world.namespace + "/services")) {
      end.add("service " + child.at("/metadata/name").asText());
    }
    return end;
  }
}
