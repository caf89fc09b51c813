package dev.nodekeeper.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One measured number.
 *
 * @param key for programs, such as {@code storm.restores_per_s}
 * @param what for people
 * @param ratio to the plain baseline of the same run; null where there is none
 * @param goal in words; null where none was set
 * @param met null where there is no goal
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Figure(
    String key,
    String what,
    double value,
    String unit,
    @Nullable Double ratio,
    @Nullable String goal,
    @Nullable Boolean met) {

  public static Figure of(String key, String what, double value, String unit) {
    return new Figure(key, what, value, unit, null, null, null);
  }

  public Figure per(double baseline) {
    return new Figure(key, what, value, unit, value / baseline, goal, met);
  }

  public Figure atMost(double limit) {
    return judged("≤ " + number(limit) + " " + unit, value <= limit);
  }

  public Figure ratioAtMost(double limit) {
    return judged("≤ " + number(limit) + " × plain", ratio != null && ratio <= limit);
  }

  public Figure ratioAtLeast(double limit) {
    return judged("≥ " + number(limit) + " × plain", ratio != null && ratio >= limit);
  }

  /** As much as before, give or take this share. */
  public Figure ratioWithin(double share) {
    return judged("ratio 1 ± " + number(share), ratio != null && Math.abs(ratio - 1) <= share);
  }

  /** No more than before, or hardly. */
  public Figure ratioNotAbove(double limit) {
    return judged("ratio ≤ " + number(limit), ratio != null && ratio <= limit);
  }

  private Figure judged(String words, boolean reached) {
    return new Figure(key, what, value, unit, ratio, words.strip(), reached);
  }

  /** Three digits are more than a shared machine can promise. */
  static String number(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    double size = Math.abs(value);
    if (size >= 100 || value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.4f", value);
  }

  String row() {
    return "| %s | %s | %s | %s | %s |"
        .formatted(
            what,
            goal == null ? "" : goal,
            (number(value) + " " + unit).strip(),
            ratio == null ? "" : number(ratio),
            met == null ? "" : met ? "ok" : "**not reached**");
  }
}
