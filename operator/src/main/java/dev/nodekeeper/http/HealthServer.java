package dev.nodekeeper.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Serves /livez, /readyz and /metrics: GET and HEAD only, nothing can be changed through it. */
public final class HealthServer implements AutoCloseable {
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  static {
    // The JDK's server has no limits unless told before its first use.
    limit("sun.net.httpserver.maxReqTime", "10");
    limit("sun.net.httpserver.maxRspTime", "30");
    limit("jdk.httpserver.maxConnections", "64");
  }

  private final HttpServer server;

  private HealthServer(HttpServer server) {
    this.server = server;
  }

  /**
   * Listens from now on.
   *
   * @param port 0 for a free one
   */
  public static HealthServer start(
      int port, List<Check> live, List<Check> ready, Supplier<String> metrics) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(port), 16);
    // NB: not virtual ones, on which the JDK's writer begins with 512 characters and is copied for
    // each line more: 20 MB for a scrape of 9 KB.
    server.setExecutor(
        Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("http-", 0).factory()));
    server.createContext(
        "/",
        exchange -> {
          switch (exchange.getRequestURI().getPath()) {
            case "/livez" -> checked(exchange, live);
            case "/readyz" -> checked(exchange, ready);
            case "/metrics" -> send(exchange, 200, PROMETHEUS, metrics.get());
            default -> send(exchange, 404, TEXT, "There are /livez, /readyz and /metrics\n");
          }
        });
    server.start();
    return new HealthServer(server);
  }

  public int port() {
    return server.getAddress().getPort();
  }

  private static void checked(HttpExchange exchange, List<Check> checks) throws IOException {
    String problems =
        checks.stream()
            .map(Check::problem)
            .flatMap(Optional::stream)
            .map(problem -> problem + "\n")
            .collect(Collectors.joining());
    send(exchange, problems.isEmpty() ? 200 : 503, TEXT, problems.isEmpty() ? "ok\n" : problems);
  }

  private static void send(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      boolean reads = method.equals("GET") || method.equals("HEAD");
      byte[] body = (reads ? text : "Only GET and HEAD\n").getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      if (!reads) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
      }
      boolean head = method.equals("HEAD");
      exchange.sendResponseHeaders(reads ? status : 405, head ? -1 : body.length);
      if (!head) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  private static void limit(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
