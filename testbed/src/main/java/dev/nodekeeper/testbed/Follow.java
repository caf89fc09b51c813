package dev.nodekeeper.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Consumer;

/**
 * A watch that is opened again when it ends, and then begins with all that is there: on a busy
 * machine the server ends the watch of whoever reads too slowly. What was deleted meanwhile is not
 * told: whoever must know it forgets all that it saw when the watch is opened again.
 */
public final class Follow implements AutoCloseable {
  private static final long PAUSE_MILLIS = 500;

  private final Kube kube;
  private final String path;
  private final Consumer<JsonNode> events;
  private final Runnable again;
  private final Thread keeper;
  private volatile Watch watch;

  public Follow(Kube kube, String path, Consumer<JsonNode> events) {
    this(kube, path, events, () -> {});
  }

  /**
   * @param again before the watch is opened again
   */
  public Follow(Kube kube, String path, Consumer<JsonNode> events, Runnable again) {
    this.kube = kube;
    this.path = path + (path.contains("?") ? "&" : "?") + "timeoutSeconds=86400";
    this.events = events;
    this.again = again;
    this.watch = kube.watch(this.path, events);
    this.keeper = Thread.ofVirtual().name("testbed-follow").start(this::keepOpen);
  }

  private void keepOpen() {
    try {
      while (true) {
        Thread.sleep(PAUSE_MILLIS);
        if (!watch.open()) {
          reopen();
        }
      }
    } catch (InterruptedException e) {
      watch.close();
    }
  }

  private void reopen() {
    try {
      again.run();
      watch = kube.watch(path, events);
    } catch (KubeException e) {
      // The server is away: again after the pause.
      return;
    }
  }

  @Override
  public void close() {
    keeper.interrupt();
  }
}
