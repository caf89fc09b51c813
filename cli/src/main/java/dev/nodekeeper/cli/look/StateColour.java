package dev.nodekeeper.cli.look;

import dev.nodekeeper.cli.Screen;
import dev.nodekeeper.core.model.State;

/** Green for what is well, yellow for what is under way, red for what needs a person. */
final class StateColour {
  private StateColour() {}

  static String paint(Screen screen, State state) {
    return switch (state) {
      case CURRENT -> screen.good(state.word());
      case PENDING_RESTORE, PENDING_CAPTURE -> screen.odd(state.word());
      case REFUSED -> screen.bad(state.word());
      case AWAY -> screen.faint(state.word());
    };
  }
}
