package dev.nodekeeper.share;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.core.model.Stored.Origin;
import dev.nodekeeper.read.RecordReader;
import dev.nodekeeper.read.UnreadableObjectException;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A Lease as JSON, read and written. */
record LeaseDocument(Layout layout, String self, Terms terms) {
  private static final JsonMapper MAPPER = new JsonMapper();

  /** The API's MicroTime. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  static List<Lease> list(byte[] json) throws IOException {
    JsonNode items = MAPPER.readTree(json).path("items");
    if (!items.isArray() && !items.isNull()) {
      throw new UnreadableObjectException("a list of leases without items");
    }
    List<Lease> leases = new ArrayList<>();
    for (JsonNode item : items) {
      leases.add(read(item));
    }
    return leases;
  }

  static Lease read(byte[] json) throws IOException {
    return read(MAPPER.readTree(json));
  }

  private static Lease read(JsonNode json) throws IOException {
    JsonNode metadata = json.path("metadata");
    JsonNode spec = json.path("spec");
    String name = metadata.path("name").asText("");
    String uid = metadata.path("uid").asText("");
    String rv = metadata.path("resourceVersion").asText("");
    if (!(json instanceof ObjectNode document)
        || name.isEmpty()
        || uid.isEmpty()
        || !Origin.isRevision(rv)) {
      throw new UnreadableObjectException(
          "Lease '%s' has uid '%s' and resourceVersion '%s'".formatted(name, uid, rv));
    }
    return new Lease(
        name,
        uid,
        Long.parseLong(rv),
        text(spec, "holderIdentity"),
        spec.path("leaseDurationSeconds").asInt(0),
        spec.path("leaseTransitions").asInt(0),
        text(spec, "acquireTime"),
        text(spec, "renewTime"),
        document);
  }

  private static String text(JsonNode spec, String field) {
    JsonNode value = spec.path(field);
    return value.isTextual() ? value.textValue() : "";
  }

  /**
   * The lease in our hands; times are for people.
   *
   * @param seen empty where there is none yet
   */
  String claimed(String name, Optional<Lease> seen, Instant now) {
    ObjectNode json = document(name, seen);
    ObjectNode spec = json.withObject("/spec");
    String time = TIME.format(now);
    int transitions = seen.map(Lease::transitions).orElse(0);
    if (seen.isEmpty() || !seen.get().heldBy(self)) {
      spec.put("acquireTime", time);
      spec.put("leaseTransitions", seen.isEmpty() ? 0 : transitions + 1);
    }
    spec.put("holderIdentity", self)
        .put("leaseDurationSeconds", terms.leaseSeconds())
        .put("renewTime", time);
    return json.toString();
  }

  /** In nobody's hands, to be taken at once, also by those who look at the duration only. */
  String released(Lease seen, Instant now) {
    ObjectNode json = document(seen.name(), Optional.of(seen));
    json.withObject("/spec")
        .put("holderIdentity", "")
        .put("leaseDurationSeconds", 1)
        .put("renewTime", TIME.format(now));
    return json.toString();
  }

  /** Its uid and resourceVersion make the server refuse it where the lease is another by now. */
  private ObjectNode document(String name, Optional<Lease> seen) {
    ObjectNode json =
        seen.map(lease -> lease.document().deepCopy()).orElseGet(MAPPER::createObjectNode);
    json.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    ObjectNode metadata = json.withObject("/metadata");
    metadata.remove("managedFields");
    metadata.put("name", name).put("namespace", layout.namespace());
    metadata
        .withObject("/labels")
        .put(RecordReader.LABEL, RecordReader.LABEL_VALUE)
        .put(Layout.LABEL, layout.prefix());
    return json;
  }
}
