package dev.nodekeeper.console;

import dev.nodekeeper.core.model.Content;
import dev.nodekeeper.core.model.Key;
import dev.nodekeeper.core.model.NodeRecord;
import dev.nodekeeper.core.model.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The versions of a record, newest first: from which life, and what changed. Never its nonces. */
final class Lives {
  private static final int UID_SHOWN = 8;
  private static final int KEYS_NAMED = 6;

  private Lives() {}

  /**
   * One version.
   *
   * @param uid of the life that it was captured from; empty where a person wrote it
   */
  record Life(long version, String uid, String changes) {}

  static List<Life> of(NodeRecord record) {
    List<Version> versions = record.history().toList();
    List<Life> lives = new ArrayList<>();
    for (int i = 0; i < versions.size(); i++) {
      Version version = versions.get(i);
      boolean oldest = i + 1 == versions.size();
      String changes =
          oldest
              ? version.content().size() + " keys"
              : changes(versions.get(i + 1).content(), version.content());
      lives.add(new Life(version.generation(), version.uid(), changes));
    }
    return lives;
  }

  /** Names only: values are beside each other elsewhere on the page. */
  private static String changes(Content before, Content after) {
    var changed = before.changed(after);
    String named =
        changed.stream()
            .limit(KEYS_NAMED)
            .map(key -> sign(before, after, key) + key)
            .collect(Collectors.joining(", "));
    return changed.isEmpty()
        ? "bound to this life"
        : changed.size() > KEYS_NAMED
            ? named + " and " + (changed.size() - KEYS_NAMED) + " more"
            : named;
  }

  private static String sign(Content before, Content after, Key key) {
    return before.get(key) == null ? "+" : after.get(key) == null ? "-" : "~";
  }

  static String shortened(String uid) {
    return uid.substring(0, Math.min(UID_SHOWN, uid.length()));
  }
}
