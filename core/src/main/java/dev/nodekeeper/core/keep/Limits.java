package dev.nodekeeper.core.keep;

import java.time.Duration;

/**
 * The numbers.
 *
 * @param settle a change of labels is captured when it has been quiet for so long
 * @param settleMax and at the latest after so long: a flapping label must not starve it
 * @param emptyGrace how long an empty record is kept
 * @param tombstoneLife how long an unsettled or quiet tombstone is kept
 * @param versions older versions kept in a record
 * @param restores per incarnation, before we back off
 * @param inFlight requests at once
 * @param resync how often everything is compared again
 * @param forgetAfter how long the record of a node that stays away is kept; zero is for ever
 */
public record Limits(
    Duration settle,
    Duration settleMax,
    Duration emptyGrace,
    Duration tombstoneLife,
    int versions,
    int restores,
    int inFlight,
    Duration resync,
    Duration forgetAfter) {

  public static final Limits DEFAULT =
      new Limits(
          Duration.ofMillis(100),
          Duration.ofMillis(500),
          Duration.ofSeconds(60),
          Duration.ofHours(1),
          4,
          3,
          32,
          Duration.ofMinutes(5),
          Duration.ofDays(90));
}
