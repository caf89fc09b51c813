package dev.nodekeeper.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One setting: its flag, environment variable, default and meaning.
 *
 * @param name without dashes, for example {@code log-level}
 * @param label what stands for the value in help texts
 * @param standard the default, as a person would write it
 * @param allowed what a value must be, for people
 * @param many whether the flag may be repeated (the environment variable is comma separated)
 * @param parse from text; throws {@link IllegalArgumentException} for what is not allowed
 */
public record Option<T>(
    String name,
    String label,
    String standard,
    String description,
    String allowed,
    Arity many,
    Function<String, T> parse) {

  /** How often a flag may be given. */
  public enum Arity {
    ONCE,
    REPEATABLE
  }

  public String flag() {
    return "--" + name;
  }

  public String env() {
    return "NODEKEEPER_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /** The flag wins over the environment, which wins over the default. */
  T value(Map<String, List<String>> flags, Map<String, String> env, List<String> violations) {
    List<String> given = flags.getOrDefault(flag(), List.of());
    String fromEnv = env.getOrDefault(env(), "");
    if (given.size() > 1 && many == Arity.ONCE) {
      violations.add(flag() + " is given " + given.size() + " times; give it once");
    } else if (!given.isEmpty()) {
      T value = parse(String.join(",", given), flag(), violations);
      if (value != null) {
        return value;
      }
    } else if (!fromEnv.isBlank()) {
      T value = parse(fromEnv.strip(), env(), violations);
      if (value != null) {
        return value;
      }
    }
    return parse.apply(standard);
  }

  private @Nullable T parse(String text, String where, List<String> violations) {
    try {
      return parse.apply(text);
    } catch (IllegalArgumentException e) {
      violations.add("%s: '%s' is not allowed; it must be %s".formatted(where, text, allowed));
      return null;
    }
  }
}
