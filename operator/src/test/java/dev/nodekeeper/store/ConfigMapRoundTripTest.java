package dev.nodekeeper.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Stored;
import dev.nodekeeper.core.model.Stored.Unreadable;
import dev.nodekeeper.read.RecordReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConfigMapRoundTripTest {
  private static final JsonMapper MAPPER = new JsonMapper();

  @Test
  @DisplayName("an object as we write it has no foreign parts")
  void ours() throws Exception {
    String body =
        ConfigMapBody.created("ns", "n1", Map.of("record.json", "{\"labels\":{\"a\":\"b\"}}"));

    Stored stored = RecordReader.read(bytes(served(body)));

    assertThat(stored).isInstanceOf(NodeRecord.class);
    assertThat(stored.node()).isEqualTo("n1");
    assertThat(stored.origin()).isEqualTo(new Stored.Origin("u9", 77, "", 20, 0, false));
    assertThat(MAPPER.readTree(body).at("/metadata/labels/app.kubernetes.io~1managed-by").asText())
        .isEqualTo("nodekeeper");
  }

  @Test
  @DisplayName("a pre-seeded record without our label is a record, and nothing of it is foreign")
  void preSeeded() throws Exception {
    String json =
        """
        {"metadata":{"name":"n1","namespace":"ns","uid":"u","resourceVersion":"5"},
         "data":{"record.json":"{}"}}""";

    assertThat(RecordReader.read(bytes(json)).origin().foreign()).isEmpty();
  }

  @Test
  @DisplayName("foreign parts are written back untouched, under uid and resourceVersion")
  void foreign() throws Exception {
    String json =
        """
        {"apiVersion":"v1","kind":"ConfigMap","immutable":false,
         "binaryData":{"b":"AA=="},
         "data":{"record.json":"{}","state.json":"{}","README":"hi"},
         "metadata":{"name":"n1","namespace":"ns","uid":"u","resourceVersion":"5",
          "creationTimestamp":"2026-01-01T00:00:00Z","managedFields":[{"manager":"x"}],
          "labels":{"app.kubernetes.io/managed-by":"argo","tier":"x"},
          "annotations":{"a":"b"},"finalizers":["f/x"],
          "ownerReferences":[{"name":"o","uid":"1","kind":"K","apiVersion":"v1"}]}}""";

    Stored stored = RecordReader.read(bytes(json));
    JsonNode body =
        MAPPER.readTree(
            ConfigMapBody.updated("ns", "n1", stored.origin(), Map.of("record.json", "new")));

    assertThat(body.at("/metadata/labels/tier").asText()).isEqualTo("x");
    assertThat(body.at("/metadata/annotations/a").asText()).isEqualTo("b");
    assertThat(body.at("/metadata/finalizers/0").asText()).isEqualTo("f/x");
    assertThat(body.at("/metadata/ownerReferences/0/name").asText()).isEqualTo("o");
    assertThat(body.at("/binaryData/b").asText()).isEqualTo("AA==");
    assertThat(body.at("/immutable").isBoolean()).isTrue();
    assertThat(body.at("/data/README").asText()).isEqualTo("hi");
    assertThat(body.at("/data/record.json").asText()).isEqualTo("new");
    assertThat(body.at("/metadata/uid").asText()).isEqualTo("u");
    assertThat(body.at("/metadata/resourceVersion").asText()).isEqualTo("5");
    assertThat(body.at("/metadata").has("managedFields")).isFalse();
  }

  @Test
  @DisplayName("since when its node is away is ours to say, and a person's wish to keep it is not")
  void away() throws Exception {
    String json =
        """
        {"metadata":{"name":"n1","uid":"u","resourceVersion":"5","annotations":{
          "nodekeeper.dev/away-since":"2026-11-15T10:00:00Z","nodekeeper.dev/keep":"true"}},
         "data":{"record.json":"{}"}}""";

    Stored.Origin origin = RecordReader.read(bytes(json)).origin();

    assertThat(origin.awaySince()).isEqualTo(Instant.parse("2026-11-15T10:00:00Z").toEpochMilli());
    assertThat(origin.exempt()).isTrue();
    assertThat(annotations(origin))
        .isEqualTo(
            MAPPER.readTree(
                """
                {"nodekeeper.dev/keep":"true",
                 "nodekeeper.dev/away-since":"2026-11-15T10:00:00Z"}"""));
    assertThat(annotations(origin.away(0)))
        .isEqualTo(MAPPER.readTree("{\"nodekeeper.dev/keep\":\"true\"}"));
    String odd = json.replace("2026-11-15T10:00:00Z", "yesterday").replace("\"true\"", "\"no\"");
    assertThat(RecordReader.read(bytes(odd)).origin().awaySince()).isZero();
    assertThat(RecordReader.read(bytes(odd)).origin().exempt()).isFalse();
  }

  private static JsonNode annotations(Stored.Origin origin) throws Exception {
    return MAPPER
        .readTree(ConfigMapBody.updated("ns", "n1", origin, Map.of()))
        .at("/metadata/annotations");
  }

  @Test
  @DisplayName("a ConfigMap that is no record is a value, not an error")
  void noRecord() throws Exception {
    String json = "{\"metadata\":{\"name\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"5\"}}";

    assertThat(RecordReader.read(bytes(json))).isInstanceOf(Unreadable.class);
  }

  private static String served(String body) {
    return body.replace(
        "\"metadata\":{", "\"metadata\":{\"uid\":\"u9\",\"resourceVersion\":\"77\",");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
