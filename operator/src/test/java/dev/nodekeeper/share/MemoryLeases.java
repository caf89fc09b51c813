package dev.nodekeeper.share;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.FakeApi;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.Reply;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * As much of the leases API as pure timing needs: compare-and-swap, preconditions, labels. What the
 * real one says is for LeaseIT.
 */
final class MemoryLeases {
  static final JsonMapper JSON = new JsonMapper();

  private final Map<String, ObjectNode> leases = new TreeMap<>();
  private long revision = 100;

  synchronized Reply answer(Call call) {
    String path = call.path().replaceFirst("\\?.*", "");
    String name = path.replaceFirst(".*/leases/?", "");
    ObjectNode there = leases.get(name);
    return switch (call.method()) {
      case "GET" -> name.isEmpty() ? list(call) : found(there);
      case "POST" -> {
        ObjectNode made = parse(call.body());
        String wanted = made.path("metadata").path("name").asText();
        yield leases.containsKey(wanted) ? status(409, "leases") : stored(wanted, made, "");
      }
      case "PUT" ->
          there == null
              ? status(404, "leases")
              : differs(there, parse(call.body()).path("metadata"))
                  ? status(409, "leases")
                  : stored(name, parse(call.body()), there.path("metadata").path("uid").asText());
      case "DELETE" -> {
        if (there == null) {
          yield status(404, "leases");
        }
        if (differs(there, parse(call.body()).path("preconditions"))) {
          yield status(409, "leases");
        }
        leases.remove(name);
        yield FakeApi.reply(200, "{}");
      }
      default -> throw new AssertionError(call);
    };
  }

  private static boolean differs(ObjectNode there, JsonNode wanted) {
    JsonNode metadata = there.path("metadata");
    return !metadata.path("uid").equals(wanted.path("uid"))
        || !metadata.path("resourceVersion").equals(wanted.path("resourceVersion"));
  }

  private Reply list(Call call) {
    String prefix = call.path().replaceFirst(".*%3D", "");
    ObjectNode list = JSON.createObjectNode();
    var items = list.putArray("items");
    leases.values().stream()
        .filter(l -> l.path("metadata").path("labels").path(Layout.LABEL).asText().equals(prefix))
        .forEach(items::add);
    return FakeApi.reply(200, list.toString());
  }

  private static Reply found(@Nullable ObjectNode there) {
    return there == null ? status(404, "leases") : FakeApi.reply(200, there.toString());
  }

  static Reply status(int code, String kind) {
    return FakeApi.reply(code, "{\"code\":%d,\"details\":{\"kind\":\"%s\"}}".formatted(code, kind));
  }

  private Reply stored(String name, ObjectNode lease, String uid) {
    revision++;
    lease
        .withObject("/metadata")
        .put("uid", uid.isEmpty() ? "uid-" + revision : uid)
        .put("resourceVersion", Long.toString(revision));
    leases.put(name, lease);
    return FakeApi.reply(200, lease.toString());
  }

  // ---- people

  synchronized void delete(String name) {
    leases.remove(name);
  }

  synchronized void copy(String from, String name) {
    ObjectNode copy = Objects.requireNonNull(leases.get(from)).deepCopy();
    copy.withObject("/metadata").put("name", name);
    stored(name, copy, "");
  }

  synchronized void edit(String name, java.util.function.Consumer<ObjectNode> change) {
    ObjectNode lease = leases.get(name);
    if (lease != null) {
      ObjectNode copy = lease.deepCopy();
      change.accept(copy);
      stored(name, copy, copy.path("metadata").path("uid").asText());
    }
  }

  synchronized void overwrite(String name, String holder) {
    edit(
        name,
        lease ->
            lease
                .withObject("/spec")
                .put("holderIdentity", holder)
                .put("leaseTransitions", lease.path("spec").path("leaseTransitions").asInt() + 1));
  }

  // ---- what is there

  synchronized Map<String, ObjectNode> all() {
    return new TreeMap<>(leases);
  }

  synchronized String holder(String name) {
    ObjectNode lease = leases.get(name);
    return lease == null ? "" : lease.path("spec").path("holderIdentity").asText("");
  }

  /** How often leases went from hand to hand so far. */
  synchronized long moves() {
    return leases.values().stream()
        .mapToLong(lease -> lease.path("spec").path("leaseTransitions").asLong())
        .sum();
  }

  private static ObjectNode parse(String json) {
    try {
      return (ObjectNode) JSON.readTree(json);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
