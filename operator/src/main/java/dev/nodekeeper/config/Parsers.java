package dev.nodekeeper.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Text into values; what is not allowed throws {@link IllegalArgumentException}. */
final class Parsers {
  private static final Pattern PART = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");

  /** NB: bounded, because a regular expression that repeats a group runs out of stack. */
  private static final Pattern DURATION = Pattern.compile("(" + PART.pattern() + "){1,8}");

  private Parsers() {}

  static Function<String, Duration> duration(Duration min, Duration max) {
    return text -> {
      Duration value = duration(text);
      return check(value, value.compareTo(min) >= 0 && value.compareTo(max) <= 0);
    };
  }

  /** As Go writes it: 500ms, 30s, 5m, 1h30m, 0; and 90d. */
  static Duration duration(String text) {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    check(text, DURATION.matcher(text).matches());
    Duration sum = Duration.ZERO;
    Matcher parts = PART.matcher(text);
    while (parts.find()) {
      long amount = Long.parseLong(parts.group(1));
      sum =
          sum.plus(
              switch (parts.group(2)) {
                case "ms" -> Duration.ofMillis(amount);
                case "s" -> Duration.ofSeconds(amount);
                case "m" -> Duration.ofMinutes(amount);
                case "h" -> Duration.ofHours(amount);
                default -> Duration.ofDays(amount);
              });
    }
    return sum;
  }

  static Function<String, Integer> integer(int min, int max) {
    return text -> {
      int value = Integer.parseInt(text);
      return check(value, value >= min && value <= max);
    };
  }

  static Function<String, String> matching(String regex) {
    Pattern pattern = Pattern.compile(regex);
    return text -> check(text, pattern.matcher(text).matches());
  }

  /** One of the names, in lower case. */
  static <E extends Enum<E>> Function<String, E> oneOf(Class<E> type) {
    return text -> {
      check(text, text.equals(text.toLowerCase(Locale.ROOT)));
      return Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
    };
  }

  /** Comma separated; blanks around the parts and empty parts are ignored. */
  static <T> Function<String, List<T>> listOf(Function<String, T> part) {
    return text ->
        Arrays.stream(text.split(",", -1))
            .map(String::strip)
            .filter(p -> !p.isEmpty())
            .map(part)
            .collect(Collectors.toUnmodifiableList());
  }

  static <T> T check(T value, boolean allowed) {
    if (!allowed) {
      throw new IllegalArgumentException("not allowed: " + value);
    }
    return value;
  }
}
