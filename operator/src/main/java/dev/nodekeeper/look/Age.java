package dev.nodekeeper.look;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** How long ago, in one unit, as kubectl shows it. */
public final class Age {
  private Age() {}

  /** A dash for a time that is not there or is none. */
  public static String of(String time, Instant now) {
    Duration age;
    try {
      age = Duration.between(Instant.parse(time), now);
    } catch (DateTimeParseException e) {
      return "-";
    }
    if (age.toDays() > 1) {
      return age.toDays() + "d";
    }
    if (age.toHours() > 1) {
      return age.toHours() + "h";
    }
    return age.toMinutes() > 1 ? age.toMinutes() + "m" : Math.max(0, age.toSeconds()) + "s";
  }
}
