package dev.nodekeeper.cli.up;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.cli.ProblemException;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.testbed.Kube;
import dev.nodekeeper.testbed.Machines;
import dev.nodekeeper.testbed.Watch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A machine's return, as a watch of its Node sees it.
 *
 * @param before what it had when it left
 * @param registered what it had when it came back
 * @param now what it had when it was complete again
 * @param took from its creation to that
 */
record Homecoming(NodeState before, NodeState registered, NodeState now, Duration took) {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** Lets the machine start again, and waits until its Node has all that it had before. */
  static Homecoming of(Kube admin, Path folder, NodeState before) {
    Observer observer = new Observer(before);
    String path = "/api/v1/nodes?fieldSelector=metadata.name%3D" + before.name();
    try (Watch _ = admin.watch(path, observer::see)) {
      Machines.restart(folder, before.name());
      return observer.complete.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw ProblemException.failed(
          "%s registered again, but was not restored within %d s: %s"
              .formatted(
                  before.name(),
                  LIMIT.toSeconds(),
                  Tail.of(new UpFolder(folder).log(LocalCluster.CONTROLLER))));
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ProblemException.failed("interrupted");
    }
  }

  /** Times are those at which the events arrive here: one process, one clock. */
  private static final class Observer {
    private final CompletableFuture<Homecoming> complete = new CompletableFuture<>();
    private final NodeState before;
    private NodeState registered;
    private long registeredNanos;

    Observer(NodeState before) {
      this.before = before;
      this.registered = before;
    }

    void see(JsonNode event) {
      long nanos = System.nanoTime();
      JsonNode object = event.path("object");
      if (!object.path("kind").asText().equals("Node")) {
        return;
      }
      NodeState node = Departure.read(object);
      if (node.uid().equals(before.uid())) {
        return;
      }
      if (!node.uid().equals(registered.uid())) {
        registered = node;
        registeredNanos = nanos;
      }
      if (holdsAll(node.content(), before.content())) {
        Duration took = Duration.ofNanos(nanos - registeredNanos);
        complete.complete(new Homecoming(before, registered, node, took));
      }
    }

    private static boolean holdsAll(Content now, Content wanted) {
      return wanted.keys().stream()
          .allMatch(key -> String.valueOf(wanted.get(key)).equals(now.get(key)));
    }
  }
}
