package dev.nodekeeper.cli.look;

import dev.nodekeeper.cli.Screen;
import dev.nodekeeper.core.model.State;

/** Green for what is well, yellow for what is under way, red for what needs a person. */
final class StateColour {
  private StateColour() {}

  static String paint(Screen screen, State state) {
    return switch (state) {
      case IN_STEP -> screen.good(state.word());
      case TO_BE_RESTORED, TO_BE_CAPTURED -> screen.odd(state.word());
      case UNREADABLE -> screen.bad(state.word());
      case AWAY, LEAVING, NOTHING_TO_KEEP -> screen.faint(state.word());
    };
  }
}
