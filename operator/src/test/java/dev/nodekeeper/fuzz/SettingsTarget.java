package dev.nodekeeper.fuzz;

import static dev.nodekeeper.fuzz.Promise.require;

import dev.nodekeeper.config.InvalidSettingsException;
import dev.nodekeeper.config.Option;
import dev.nodekeeper.config.Options;
import dev.nodekeeper.config.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Any flags and environment: settings, or violations that each name what is wrong. */
public final class SettingsTarget {
  private SettingsTarget() {}

  /**
   * Each line: a flag with its value behind the first tab, or the name of a variable with its
   * value.
   */
  public static void fuzzerTestOneInput(byte[] bytes) {
    Map<String, List<String>> flags = new HashMap<>();
    Map<String, String> env = new HashMap<>();
    Feed feed = new Feed(bytes);
    while (feed.more()) {
      String line = feed.line();
      int tab = line.indexOf('\t');
      String name = tab < 0 ? line : line.substring(0, tab);
      String value = line.substring(tab + 1);
      if (name.startsWith("-")) {
        flags.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
      } else {
        env.put(name, value);
      }
    }
    try {
      Settings settings = Settings.parse(flags, env);
      require(!settings.policy().keep().isEmpty(), "something is kept: %s", settings);
      require(settings.rate() > 0 && settings.limits().inFlight() > 0, "it can work: %s", settings);
    } catch (InvalidSettingsException e) {
      require(!e.violations().isEmpty(), "a refusal has a reason");
      e.violations().forEach(violation -> require(named(violation, flags), "named: %s", violation));
    }
  }

  /** It begins with the flag or the variable that it is about. */
  private static boolean named(String violation, Map<String, List<String>> flags) {
    Optional<? extends Option<?>> option =
        Options.ALL.stream()
            .filter(o -> violation.startsWith(o.flag()) || violation.startsWith(o.env()))
            .findFirst();
    return option.isPresent() || flags.keySet().stream().anyMatch(violation::startsWith);
  }
}
