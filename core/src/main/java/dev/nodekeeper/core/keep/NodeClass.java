package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import java.util.Locale;

/** Three kinds of nodes on which changes mean something else. A metric label. */
public enum NodeClass {
  CONTROL_PLANE,
  /** Keeps pods off: dedicated, quarantined, cordoned. */
  DEDICATED,
  OPEN;

  private static final Key ROLE = Key.label("node-role.kubernetes.io/control-plane");

  static NodeClass of(Content content) {
    if (content.get(ROLE) != null) {
      return CONTROL_PLANE;
    }
    return content.repels() ? DEDICATED : OPEN;
  }

  /** As people and metrics read it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
