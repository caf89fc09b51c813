package dev.nodekeeper.testbed;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** What a kubelet asks a container: plain HTTP, and only the status counts. */
public final class Probe {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private Probe() {}

  public static boolean ready(int port) throws InterruptedException {
    return ok(URI.create("http://127.0.0.1:" + port + "/readyz"));
  }

  public static boolean ok(URI address) throws InterruptedException {
    var request = HttpRequest.newBuilder(address).timeout(PATIENCE).build();
    try {
      return HTTP.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }
}
