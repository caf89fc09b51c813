package dev.nodekeeper.testbed.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.testbed.Json;

/** One event of a watch, as the line that it is on the wire. */
public record Frame(String line) {

  public String type() {
    return json().path("type").asText();
  }

  public String name() {
    return object().path("metadata").path("name").asText();
  }

  public JsonNode object() {
    return json().path("object");
  }

  public boolean is(String type, String name) {
    return type().equals(type) && name().equals(name);
  }

  public Frame withType(String type) {
    return new Frame(((ObjectNode) json()).put("type", type).toString());
  }

  private JsonNode json() {
    return Json.parse(line);
  }
}
