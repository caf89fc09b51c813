package dev.nodekeeper.look;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.core.model.Key;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** Who set what on an object, as its managedFields say. */
public record Owners(JsonNode managedFields) {
  /**
   * One who set something.
   *
   * @param time when it last set anything; empty where that is not told
   */
  public record Owner(String manager, String time) {}

  public static Owners of(JsonNode object) {
    return new Owners(object.path("metadata").path("managedFields"));
  }

  /** Who set a key on a Node; the last one where it was several. */
  public Optional<Owner> of(Key key) {
    return switch (key.kind()) {
      case LABEL -> of("f:metadata", "f:labels", "f:" + key.name());
      case ANNOTATION -> of("f:metadata", "f:annotations", "f:" + key.name());
      // The list is one field: whoever wrote it last wrote all of it.
      case TAINT -> of("f:spec", "f:taints");
      case CORDON -> of("f:spec", "f:unschedulable");
    };
  }

  /** Who set the field at this path. */
  public Optional<Owner> of(String... path) {
    return StreamSupport.stream(managedFields.spliterator(), false)
        .filter(entry -> has(entry.path("fieldsV1"), path))
        .map(
            entry ->
                new Owner(entry.path("manager").asText("unknown"), entry.path("time").asText("")))
        .max(Comparator.comparing(Owner::time));
  }

  private static boolean has(JsonNode fields, String... path) {
    JsonNode at = fields;
    for (String step : path) {
      at = at.path(step);
    }
    return !at.isMissingNode();
  }
}
