package dev.nodekeeper.core.keep;

import dev.nodekeeper.core.decide.Decision;
import java.util.Locale;

/** A decision without its content, to be counted. A metric label. */
public enum Verdict {
  NOTHING_TO_KEEP,
  OLDER_THAN_RECORD,
  IN_STEP,
  TERMINATING,
  NOTHING_TOUCHED,
  INERT,
  READ_RECORD,
  CREATE,
  HAND_EDIT,
  CAPTURE,
  ADOPT,
  MERGE,
  LATE_MERGE,
  RESTORE;

  static Verdict of(Decision decision) {
    return switch (decision) {
      case Decision.Nothing(var why) ->
          switch (why) {
            case NOTHING_TO_KEEP -> NOTHING_TO_KEEP;
            case OLDER_THAN_RECORD -> OLDER_THAN_RECORD;
            case IN_STEP -> IN_STEP;
            case TERMINATING -> TERMINATING;
            case NOTHING_TOUCHED -> NOTHING_TOUCHED;
          };
      case Decision.Inert _ -> INERT;
      case Decision.ReadRecord _ -> READ_RECORD;
      case Decision.Write write ->
          switch (write.cause()) {
            case CREATE -> CREATE;
            case HAND_EDIT -> HAND_EDIT;
            case CAPTURE -> CAPTURE;
            case ADOPT -> ADOPT;
            case MERGE -> MERGE;
            case LATE_MERGE -> LATE_MERGE;
          };
      case Decision.Restore _ -> RESTORE;
    };
  }

  /** As people and metrics read it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
