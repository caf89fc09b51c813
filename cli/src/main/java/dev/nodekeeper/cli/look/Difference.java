package dev.nodekeeper.cli.look;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.nodekeeper.cli.Screen;
import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.look.Age;
import dev.nodekeeper.look.Owners;
import dev.nodekeeper.look.Owners.Owner;
import dev.nodekeeper.look.Printable;
import dev.nodekeeper.look.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A node against its record, key by key, with who set what. */
public final class Difference {
  private final Standing standing;
  private final Owners node;
  private final Owners record;
  private final List<Key> shown;

  /**
   * @param node the Node; a missing one has no owners
   * @param configMap of the record, likewise
   */
  public Difference(Standing standing, JsonNode node, JsonNode configMap, Which which) {
    this.standing = standing;
    this.node = Owners.of(node);
    this.record = Owners.of(configMap);
    this.shown =
        standing.keys().stream().filter(key -> which == Which.ALL || differs(key)).toList();
  }

  /** Which keys are shown. */
  public enum Which {
    DIFFERENT,
    ALL
  }

  /** What is left out on purpose does not count. */
  private boolean differs(Key key) {
    return !String.valueOf(standing.onNode().orElse(Content.EMPTY).get(key))
            .equals(String.valueOf(standing.inRecord().orElse(Content.EMPTY).get(key)))
        && !standing.withheld().contains(key);
  }

  public boolean any() {
    return standing.keys().stream().anyMatch(this::differs);
  }

  public List<String> lines(Instant now, Screen screen) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "--- node %s%s".formatted(standing.node(), standing.onNode().isEmpty() ? ", away" : ""));
    lines.add(
        "+++ its record"
            + (standing.inRecord().isEmpty()
                ? ": none"
                : record
                    .of("f:data", "f:record.json")
                    .map(owner -> ", written by " + told(owner, now))
                    .orElse("")));
    Table table = new Table().row("", "", "KEY", "ON THE NODE", "IN THE RECORD", "SET BY");
    for (Key key : shown) {
      table.row(
          sign(key, screen),
          Keys.kind(key),
          Keys.name(key),
          Keys.value(standing.onNode(), key),
          Keys.value(standing.inRecord(), key),
          owner(key).map(owner -> told(owner, now)).orElse("-"));
    }
    if (shown.isEmpty()) {
      lines.add("No difference.");
    } else {
      lines.addAll(table.lines());
    }
    return lines;
  }

  /** As diff marks it, from the node to the record. */
  private String sign(Key key, Screen screen) {
    if (!differs(key)) {
      return standing.withheld().contains(key) ? "withheld" : "";
    }
    boolean on = standing.onNode().orElse(Content.EMPTY).get(key) != null;
    boolean in = standing.inRecord().orElse(Content.EMPTY).get(key) != null;
    return on && in ? screen.odd("~") : on ? screen.bad("-") : screen.good("+");
  }

  private Optional<Owner> owner(Key key) {
    return standing.onNode().orElse(Content.EMPTY).get(key) == null
        ? Optional.empty()
        : node.of(key);
  }

  private static String told(Owner owner, Instant now) {
    String age = Age.of(owner.time(), now);
    return Printable.of(owner.manager()) + (age.equals("-") ? "" : ", " + age + " ago");
  }

  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("node", standing.node());
    json.put("state", standing.state().word());
    json.put("why", standing.why());
    ArrayNode keys = json.putArray("keys");
    for (Key key : shown) {
      ObjectNode one = keys.addObject().put("key", key.toString());
      one.put("differs", differs(key));
      one.put("onNode", standing.onNode().orElse(Content.EMPTY).get(key));
      one.put("inRecord", standing.inRecord().orElse(Content.EMPTY).get(key));
      one.put("withheld", standing.withheld().contains(key));
      owner(key).ifPresent(who -> one.put("setBy", who.manager()).put("setAt", who.time()));
    }
    return json;
  }

  public List<String> names() {
    return shown.stream().map(Key::toString).toList();
  }
}
