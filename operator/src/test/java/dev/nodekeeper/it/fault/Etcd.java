package dev.nodekeeper.it.fault;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Part;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** What only etcd itself can do, by its own HTTP gateway. */
final class Etcd {
  private Etcd() {}

  static URI address() {
    return URI.create(FaultPlane.flag(Part.APISERVER, "--etcd-servers"));
  }

  /** Forgets all history up to now. */
  static void compact() {
    String now = ask("/v3/kv/range", "{\"key\":\"YQ==\"}").path("header").path("revision").asText();
    ask("/v3/kv/compaction", "{\"revision\":\"" + now + "\",\"physical\":true}");
  }

  /** The alarm that etcd raises at the end of its quota: from then on it refuses every put. */
  static void runOutOfSpace() {
    alarm("ACTIVATE");
  }

  static void getSpaceAgain() {
    alarm("DEACTIVATE");
  }

  private static void alarm(String action) {
    String member = ask("/v3/maintenance/status", "{}").path("header").path("member_id").asText();
    ask(
        "/v3/maintenance/alarm",
        "{\"action\":\"%s\",\"memberID\":\"%s\",\"alarm\":\"NOSPACE\"}".formatted(action, member));
  }

  private static JsonNode ask(String path, String json) {
    HttpRequest request =
        HttpRequest.newBuilder(address().resolve(path))
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      var reply = http.send(request, BodyHandlers.ofString());
      if (reply.statusCode() != 200) {
        throw new IllegalStateException("etcd: " + reply.body());
      }
      return World.JSON.readTree(reply.body());
    } catch (java.io.IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
