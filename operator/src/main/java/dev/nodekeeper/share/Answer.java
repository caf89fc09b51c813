package dev.nodekeeper.share;

import java.time.Duration;
import java.util.List;

/** What came of a task. */
sealed interface Answer {

  Task task();

  /** For people; empty when it went well. */
  default String complaint() {
    return "";
  }

  /**
   * @param sentNanos when it was asked: what it shows may be no newer than that
   */
  record Surveyed(Task task, List<Lease> leases, long sentNanos) implements Answer {}

  record Found(Task task, Lease lease) implements Answer {}

  /**
   * @param sentNanos from when on a renewal counts, because the server may have done it right then
   */
  record Written(Task task, Lease lease, long sentNanos) implements Answer {}

  /** There is no such lease, or no longer. */
  record Missing(Task task) implements Answer {}

  /** Somebody was faster. */
  record Conflict(Task task) implements Answer {}

  /** We have not the right, or the server has no leases. */
  record Refused(Task task, String complaint) implements Answer {}

  /** Leases cannot be made, because their namespace is not there. */
  record Homeless(Task task, String complaint) implements Answer {}

  /** Whether it was done is not known. */
  record Failed(Task task, String complaint, Duration retryAfter) implements Answer {}
}
