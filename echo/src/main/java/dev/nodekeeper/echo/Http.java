package dev.nodekeeper.echo;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Probes and metrics, with what the JDK has. */
record Http(HttpServer server) implements AutoCloseable {

  static Http start(
      int port, BooleanSupplier started, BooleanSupplier healthy, Supplier<String> metrics)
      throws IOException {
    var server = HttpServer.create(new InetSocketAddress(port), 16);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    // Alive: nothing started yet, or every watch works. A dead watch comes back with a new process.
    serve(server, "/livez", () -> !started.getAsBoolean() || healthy.getAsBoolean(), () -> "ok\n");
    serve(server, "/readyz", started, () -> "ok\n");
    serve(server, "/metrics", () -> true, metrics);
    server.start();
    return new Http(server);
  }

  private static void serve(
      HttpServer server, String path, BooleanSupplier good, Supplier<String> text) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            var fine = good.getAsBoolean();
            var body = (fine ? text.get() : "not now\n").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
            exchange.sendResponseHeaders(fine ? 200 : 503, body.length);
            exchange.getResponseBody().write(body);
          }
        });
  }

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
