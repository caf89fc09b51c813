package dev.nodekeeper.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.read.RecordReader;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/**
 * A record as the ConfigMap that is sent: our parts, and the foreign ones written back untouched.
 */
public final class ConfigMapBody {
  private static final JsonMapper MAPPER = new JsonMapper();

  private ConfigMapBody() {}

  public static String created(String namespace, String name, Map<String, String> data) {
    return body(namespace, name, Origin.NONE, data).toString();
  }

  /** Its uid and resourceVersion make the server refuse it where the object is another by now. */
  public static String updated(
      String namespace, String name, Origin origin, Map<String, String> data) {
    return body(namespace, name, origin, data).toString();
  }

  private static ObjectNode body(
      String namespace, String name, Origin origin, Map<String, String> data) {
    ObjectNode json = foreign(origin);
    json.put("apiVersion", "v1").put("kind", "ConfigMap");
    ObjectNode metadata = json.withObject("/metadata");
    metadata.put("name", name).put("namespace", namespace);
    metadata.withObject("/labels").put(RecordReader.LABEL, RecordReader.LABEL_VALUE);
    if (!origin.uid().isEmpty()) {
      metadata.put("uid", origin.uid()).put("resourceVersion", Long.toString(origin.rv()));
    }
    if (origin.awaySince() != 0) {
      metadata
          .withObject("/annotations")
          .put(
              RecordReader.AWAY_SINCE,
              Instant.ofEpochMilli(origin.awaySince()).truncatedTo(ChronoUnit.SECONDS).toString());
    }
    ObjectNode entries = json.withObject("/data");
    data.forEach(entries::put);
    return json;
  }

  private static ObjectNode foreign(Origin origin) {
    if (origin.foreign().isEmpty()) {
      return MAPPER.createObjectNode();
    }
    try {
      JsonNode json = MAPPER.readTree(origin.foreign());
      return json instanceof ObjectNode object ? object : MAPPER.createObjectNode();
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("The foreign parts of a ConfigMap are ours to read", e);
    }
  }
}
