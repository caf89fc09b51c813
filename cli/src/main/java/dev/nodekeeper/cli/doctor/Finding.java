package dev.nodekeeper.cli.doctor;

import java.util.Optional;

/**
 * One line of a doctor's letter.
 *
 * @param fix what to do; empty when all is well
 */
public record Finding(String subject, String text, Optional<String> fix) {
  static Finding ok(String subject, String text) {
    return new Finding(subject, text, Optional.empty());
  }

  static Finding bad(String subject, String text, String fix) {
    return new Finding(subject, text, Optional.of(fix));
  }
}
