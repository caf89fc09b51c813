package dev.nodekeeper.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** What only etcd itself can do, by its own HTTP gateway. */
public record Etcd(URI address) {

  /** Forgets all history up to now. */
  public void compact() {
    String now = ask("/v3/kv/range", "{\"key\":\"YQ==\"}").path("header").path("revision").asText();
    ask("/v3/kv/compaction", "{\"revision\":\"" + now + "\",\"physical\":true}");
  }

  /** Gives back the room of what was forgotten. */
  public void defragment() {
    ask("/v3/maintenance/defragment", "{}");
  }

  public double sizeMib() {
    return ask("/v3/maintenance/status", "{}").path("dbSize").asLong() / 1048576.0;
  }

  /** The alarm that etcd raises at the end of its quota: from then on it refuses every put. */
  public void runOutOfSpace() {
    alarm("ACTIVATE");
  }

  public void getSpaceAgain() {
    alarm("DEACTIVATE");
  }

  private void alarm(String action) {
    String member = ask("/v3/maintenance/status", "{}").path("header").path("member_id").asText();
    ask(
        "/v3/maintenance/alarm",
        "{\"action\":\"%s\",\"memberID\":\"%s\",\"alarm\":\"NOSPACE\"}".formatted(action, member));
  }

  private JsonNode ask(String path, String json) {
    HttpRequest request =
        HttpRequest.newBuilder(address.resolve(path))
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      var reply = http.send(request, BodyHandlers.ofString());
      if (reply.statusCode() != 200) {
        throw new IllegalStateException("etcd: " + reply.body());
      }
      return Json.parse(reply.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
