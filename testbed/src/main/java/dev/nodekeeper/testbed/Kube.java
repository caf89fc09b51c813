package dev.nodekeeper.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A small JSON client of the API server, under one client certificate. */
public final class Kube implements AutoCloseable {

  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

  private final URI server;
  private final HttpClient http;
  private final List<String> headers;
  private final Duration timeout;

  private Kube(URI server, HttpClient http, List<String> headers, Duration timeout) {
    this.server = server;
    this.http = http;
    this.headers = headers;
    this.timeout = timeout;
  }

  static Kube of(URI server, Identity identity) {
    var http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(DEFAULT_TIMEOUT)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .sslContext(identity.tls())
            .build();
    return new Kube(server, http, List.of(), DEFAULT_TIMEOUT);
  }

  /** The same connections, with another limit on every call. */
  public Kube withTimeout(Duration limit) {
    return new Kube(server, http, headers, limit);
  }

  /** The same connections, acting as somebody else; needs the right to impersonate. */
  public Kube impersonating(String user, String... groups) {
    var added = new ArrayList<>(List.of("Impersonate-User", user));
    for (var group : groups) {
      added.addAll(List.of("Impersonate-Group", group));
    }
    return new Kube(server, http, List.copyOf(added), timeout);
  }

  public Reply get(String path) {
    return call("GET", path, "", BodyPublishers.noBody());
  }

  /** The items of a list; fails when the list is refused. */
  public List<JsonNode> list(String path) {
    var items = new ArrayList<JsonNode>();
    get(path).expect().path("items").forEach(items::add);
    return items;
  }

  public Reply create(String path, JsonNode object) {
    return create(path, object.toString());
  }

  public Reply create(String path, String json) {
    return call("POST", path, "application/json", BodyPublishers.ofString(json));
  }

  public Reply replace(String path, JsonNode object) {
    return replace(path, object.toString());
  }

  public Reply replace(String path, String json) {
    return call("PUT", path, "application/json", BodyPublishers.ofString(json));
  }

  public Reply patch(String path, Patch kind, JsonNode patch) {
    return patch(path, kind, patch.toString());
  }

  public Reply patch(String path, Patch kind, String json) {
    return call("PATCH", path, kind.contentType(), BodyPublishers.ofString(json));
  }

  public Reply delete(String path) {
    return call("DELETE", path, "", BodyPublishers.noBody());
  }

  /** Delete with DeleteOptions, for preconditions. */
  public Reply delete(String path, String options) {
    return call("DELETE", path, "application/json", BodyPublishers.ofString(options));
  }

  /**
   * Hands every event ({@code type}, {@code object}) to the consumer on a thread of its own, until
   * the watch is closed or the server ends it.
   */
  public Watch watch(String path, Consumer<JsonNode> events) {
    var address = path + (path.contains("?") ? "&" : "?") + "watch=true";
    var request = request("GET", address, "", BodyPublishers.noBody());
    HttpResponse<InputStream> response = send(request, BodyHandlers.ofInputStream());
    if (response.statusCode() != 200) {
      Watch.discard(response.body());
      throw new KubeException(response.statusCode(), "watch of " + path + " refused");
    }
    return Watch.start(response.body(), events);
  }

  private Reply call(String method, String path, String contentType, BodyPublisher body) {
    var response = send(request(method, path, contentType, body), BodyHandlers.ofString());
    return new Reply(response.statusCode(), Json.parseOrText(response.body()));
  }

  private HttpRequest request(String method, String path, String contentType, BodyPublisher body) {
    var builder = HttpRequest.newBuilder(server.resolve(path)).method(method, body);
    builder.header("Accept", "application/json");
    if (!contentType.isEmpty()) {
      builder.header("Content-Type", contentType);
    }
    for (int i = 0; i < headers.size(); i += 2) {
      builder.header(headers.get(i), headers.get(i + 1));
    }
    return builder.build();
  }

  /** {@code HttpRequest.timeout} ends with the headers; a server paused in the body needs this. */
  private <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler) {
    var answer = http.sendAsync(request, handler);
    var what = request.method() + " " + request.uri();
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new KubeException(what + ": no answer in " + timeout, e);
    } catch (ExecutionException e) {
      throw new KubeException(what + ": " + e.getCause(), e);
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new KubeException(what + ": interrupted", e);
    }
  }

  /** Ends the connections; those made from this one by a wither or by impersonating as well. */
  @Override
  public void close() {
    http.shutdownNow();
  }
}
