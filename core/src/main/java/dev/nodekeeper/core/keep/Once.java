package dev.nodekeeper.core.keep;

import java.util.HashSet;
import java.util.Set;

/** What was said and asked in a life, and is not to be again. Most lives have none of it. */
final class Once {
  private static final int REPORTS_REMEMBERED = 16;

  /** Markers for which the record was read: a forged number must not buy reads. */
  private Set<String> liveReads = Set.of();

  private Set<String> reported = Set.of();

  /** False when this was said before. */
  boolean firstTime(String message) {
    if (reported.contains(message)) {
      return false;
    }
    reported = with(reported.size() < REPORTS_REMEMBERED ? reported : Set.of(), message);
    return true;
  }

  /** False for a marker that was settled before, and for one too many. */
  boolean mayRead(String claim, int most) {
    return liveReads.size() < most && !liveReads.contains(claim);
  }

  void settle(String claim) {
    liveReads = with(liveReads, claim);
  }

  /** As small as can be: after a start there may be one for each node. */
  private static Set<String> with(Set<String> few, String more) {
    Set<String> next = new HashSet<>(few);
    next.add(more);
    return Set.copyOf(next);
  }
}
