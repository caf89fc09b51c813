package dev.nodekeeper.it;

import dev.nodekeeper.testbed.AuditLog;
import dev.nodekeeper.testbed.Container;
import dev.nodekeeper.testbed.Ports;
import dev.nodekeeper.testbed.ServiceAccount;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The image, as a cluster runs it. It is known by its port and by what it asks the API server. */
final class InContainer implements Running.Part {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** Longer than any change waits to settle. */
  private static final Duration QUIET = Duration.ofMillis(1500);

  private final ServiceAccount account;
  private final int port;
  private final Container container;
  private AuditLog.Mark mark;
  private long quietSince = System.nanoTime();

  private InContainer(ServiceAccount account, int port, Container container) {
    this.account = account;
    this.port = port;
    this.container = container;
    this.mark = account.plane().audit().mark();
  }

  /** Its way to the API server is its account's: flags for that are left out. */
  static InContainer start(String image, ServiceAccount account, List<String> flags) {
    int port = Ports.one();
    List<String> arguments = new ArrayList<>(List.of("run", "--http-port=" + port));
    flags.stream()
        .filter(flag -> !flag.startsWith("--kubeconfig=") && !flag.startsWith("--http-port="))
        .forEach(arguments::add);
    Path log = Path.of("target", "container-" + account.namespace() + ".log");
    return new InContainer(account, port, Container.start(image, account, log, arguments));
  }

  @Override
  public int httpPort() {
    return port;
  }

  @Override
  public List<String> problems() {
    container.expectRunning();
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/readyz"))
            .timeout(Duration.ofSeconds(5))
            .build();
    try {
      HttpResponse<String> reply = HTTP.send(request, BodyHandlers.ofString());
      return reply.statusCode() == 200 ? List.of() : List.of(reply.body());
    } catch (IOException e) {
      return List.of("no answer: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** NB: it cannot be asked; one that has asked for nothing for a while has nothing to do. */
  @Override
  public boolean idle() {
    AuditLog audit = account.plane().audit();
    AuditLog.Mark now = audit.mark();
    boolean asked =
        audit.since(mark).requests(account.user()).stream()
            .anyMatch(request -> !request.verb().equals("watch"));
    mark = now;
    if (asked || !problems().isEmpty()) {
      quietSince = System.nanoTime();
    }
    return System.nanoTime() - quietSince > QUIET.toNanos();
  }

  @Override
  public void close() {
    container.close();
  }
}
