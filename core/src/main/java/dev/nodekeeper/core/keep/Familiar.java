package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.codec.PackedRecords;
import dev.nodekeeper.core.model.NodeState;
import dev.nodekeeper.core.model.Stored;
import java.util.List;
import java.util.Map;

/**
 * What is listed again, in the memory of what is known: most of a fleet has not changed, and would
 * be held twice until the list is complete. Equal to what was listed; changes nothing.
 */
public final class Familiar {
  private final Map<String, Slot> slots;

  Familiar(Map<String, Slot> slots) {
    this.slots = slots;
  }

  public List<NodeState> nodes(List<NodeState> page) {
    return page.stream().map(this::node).toList();
  }

  private NodeState node(NodeState listed) {
    Slot slot = slots.get(listed.name());
    return slot == null ? listed : slot.familiar(listed);
  }

  public List<Stored> records(List<Stored> page) {
    return PackedRecords.of(page)
        .map(
            (name, listed) -> {
              Slot slot = slots.get(name);
              return slot == null ? listed : slot.familiar(listed);
            });
  }
}
