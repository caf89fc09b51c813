package dev.nodekeeper.bench.phase;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** Keeps etcd small between phases, so that a late phase does not pay for an early one. */
record Etcd(URI address) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Forgets all history up to now and gives the room back. */
  void tidy() {
    String now = ask("/v3/kv/range", "{\"key\":\"YQ==\"}").path("header").path("revision").asText();
    ask("/v3/kv/compaction", "{\"revision\":\"" + now + "\",\"physical\":true}");
    ask("/v3/maintenance/defragment", "{}");
  }

  double sizeMib() {
    return ask("/v3/maintenance/status", "{}").path("dbSize").asLong() / 1048576.0;
  }

  private JsonNode ask(String path, String json) {
    var request =
        HttpRequest.newBuilder(address.resolve(path))
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build();
    try (var http = HttpClient.newHttpClient()) {
      var reply = http.send(request, BodyHandlers.ofString());
      if (reply.statusCode() != 200) {
        throw new IllegalStateException("etcd: " + reply.body());
      }
      return JSON.readTree(reply.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
