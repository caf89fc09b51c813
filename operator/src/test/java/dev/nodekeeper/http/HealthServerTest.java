package dev.nodekeeper.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HealthServerTest {
  private final HttpClient client = HttpClient.newHttpClient();
  private volatile Optional<String> dead = Optional.empty();
  private volatile Optional<String> unlisted = Optional.empty();
  private HealthServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        HealthServer.start(
            0, List.of(() -> dead), List.of(() -> unlisted, () -> dead), () -> "a_metric 1\n");
  }

  @AfterEach
  void stop() {
    server.close();
    client.close();
  }

  @Test
  @DisplayName("all well: 200")
  void well() throws Exception {
    assertThat(get("/livez").statusCode()).isEqualTo(200);
    assertThat(get("/readyz").body()).isEqualTo("ok\n");
    assertThat(get("/metrics").body()).isEqualTo("a_metric 1\n");
  }

  @Test
  @DisplayName("each check can fail, with 503 and all reasons")
  void failing() throws Exception {
    unlisted = Optional.of("nodes are not listed");
    assertThat(get("/livez").statusCode()).isEqualTo(200);
    assertThat(get("/readyz").statusCode()).isEqualTo(503);

    dead = Optional.of("the loop has died");
    assertThat(get("/livez").statusCode()).isEqualTo(503);
    assertThat(get("/readyz").body()).isEqualTo("nodes are not listed\nthe loop has died\n");
  }

  @Test
  @DisplayName("nothing but GET and HEAD, and no other page")
  void readOnly() throws Exception {
    assertThat(send("POST", "/livez").statusCode()).isEqualTo(405);
    assertThat(send("DELETE", "/metrics").statusCode()).isEqualTo(405);
    assertThat(send("HEAD", "/livez").statusCode()).isEqualTo(200);
    assertThat(get("/").statusCode()).isEqualTo(404);
    assertThat(get("/livez/x").statusCode()).isEqualTo(404);
  }

  @Test
  @DisplayName("a port that is taken is an error at start")
  void busy() {
    assertThatThrownBy(
            () -> HealthServer.start(server.port(), List.of(), List.of(), () -> "").close())
        .isInstanceOf(BindException.class);
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send("GET", path);
  }

  private HttpResponse<String> send(String method, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
    return client.send(
        HttpRequest.newBuilder(uri).method(method, BodyPublishers.noBody()).build(),
        BodyHandlers.ofString());
  }
}
