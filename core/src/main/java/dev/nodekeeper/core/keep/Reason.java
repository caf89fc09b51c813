package dev.nodekeeper.core.keep;

/** Why a person is told something: the same word in log, event and metric. */
public enum Reason {
  RECORD_UNREADABLE(
      "RecordUnreadable",
      Level.WARNING,
      "the record cannot be used: nothing is restored from it, and it is not overwritten"),
  RECORD_TRIMMED(
      "RecordTrimmed",
      Level.WARNING,
      "the node has more than fits into one record; what was left out"),
  RECORD_ODD(
      "RecordOdd",
      Level.WARNING,
      "a hand-edited record has entries that no node can take; they stay in it"),
  KEYS_WITHHELD(
      "KeysWithheld",
      Level.WARNING,
      "some keys stay in the record: another machine under the old name, not in our policy, not legal"),
  RESTORE_LIMIT(
      "RestoreLimit",
      Level.WARNING,
      "restored several times in one life: something undoes it, so we pause"),
  REQUEST_REFUSED(
      "RequestRefused",
      Level.WARNING,
      "the API server refused a request; tried again, ever more rarely"),
  HISTORY_RESET(
      "HistoryReset",
      Level.WARNING,
      "the cluster's history went back (a restored etcd): compared afresh"),
  FORGOTTEN(
      "Forgotten", Level.NOTICE, "the record of a node that stayed away for too long was removed"),
  HAND_EDIT("HandEdit", Level.NOTICE, "a person's edit of the record was taken up"),
  RESTORED("Restored", Level.NOTICE, "a returning node got back what it lacked"),
  CAPTURED("Captured", Level.NOTICE, "what is on the node went into its record"),
  REMOVED("Removed", Level.NOTICE, "an empty record was removed"),
  NOTED(
      "Noted",
      Level.DETAIL,
      "a lesser write: taints ahead of the rest, or since when a node is away in its record"),
  RETRY("Retry", Level.DETAIL, "a request did not succeed and is tried again");

  private final String word;
  private final Level level;
  private final String meaning;

  Reason(String word, Level level, String meaning) {
    this.word = word;
    this.level = level;
    this.meaning = meaning;
  }

  /** For the reference page. */
  public String meaning() {
    return meaning;
  }

  /** CamelCase, as Kubernetes spells event reasons. */
  public String word() {
    return word;
  }

  /** Only what people look for on a node costs an API request. */
  public boolean event() {
    return level == Level.WARNING || this == RESTORED;
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
