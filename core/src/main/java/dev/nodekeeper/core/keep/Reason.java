package dev.nodekeeper.core.keep;

/** Why a person is told something: the same word in log, event and metric. */
public enum Reason {
  RECORD_UNREADABLE("RecordUnreadable", Level.WARNING),
  RECORD_TRIMMED("RecordTrimmed", Level.WARNING),
  RECORD_ODD("RecordOdd", Level.WARNING),
  RECORD_FORGOTTEN("RecordForgotten", Level.NOTICE),
  HAND_EDIT("HandEdit", Level.NOTICE),
  KEYS_WITHHELD("KeysWithheld", Level.WARNING),
  RESTORE_LIMIT("RestoreLimit", Level.WARNING),
  REQUEST_REFUSED("RequestRefused", Level.WARNING),
  HISTORY_RESET("HistoryReset", Level.WARNING),
  RESTORED("Restored", Level.NOTICE),
  CAPTURED("Captured", Level.NOTICE),
  RETRY("Retry", Level.DETAIL);

  private final String word;
  private final Level level;

  Reason(String word, Level level) {
    this.word = word;
    this.level = level;
  }

  /** CamelCase, as Kubernetes spells event reasons. */
  public String word() {
    return word;
  }

  /** Only what needs a person costs an API request. */
  public boolean event() {
    return level == Level.WARNING;
  }

  public Level level() {
    return level;
  }

  /** How loud. */
  public enum Level {
    DETAIL,
    NOTICE,
    WARNING
  }
}
