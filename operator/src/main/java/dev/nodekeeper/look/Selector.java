package dev.nodekeeper.look;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A label selector as kubectl takes it. The server applies it to nodes; a node that is away is
 * there only in its record, so we do the same to that.
 */
public final class Selector {
  public static final Selector ALL = new Selector("", List.of());

  private static final String KEY = "([-A-Za-z0-9_./]+)";
  private static final Pattern EQUALITY =
      Pattern.compile("\\s*" + KEY + "\\s*(==|=|!=)\\s*([-A-Za-z0-9_.]*)\\s*");
  private static final Pattern SET =
      Pattern.compile("\\s*" + KEY + "\\s+(in|notin)\\s*\\(([-A-Za-z0-9_.,\\s]*)\\)\\s*");
  private static final Pattern EXISTS = Pattern.compile("\\s*(!?)\\s*" + KEY + "\\s*");

  /** Commas between requirements, not those inside parentheses. */
  private static final Pattern COMMA = Pattern.compile(",(?![^(]*\\))");

  private final String text;
  private final List<Predicate<Map<String, String>>> requirements;

  private Selector(String text, List<Predicate<Map<String, String>>> requirements) {
    this.text = text;
    this.requirements = requirements;
  }

  /**
   * @throws IllegalArgumentException with the part that cannot be read
   */
  public static Selector parse(String text) {
    if (text.isBlank()) {
      return ALL;
    }
    List<Predicate<Map<String, String>>> all = new ArrayList<>();
    for (String part : COMMA.split(text, -1)) {
      all.add(requirement(part));
    }
    return new Selector(text, List.copyOf(all));
  }

  private static Predicate<Map<String, String>> requirement(String part) {
    Matcher equality = EQUALITY.matcher(part);
    if (equality.matches()) {
      return values(equality.group(1), !equality.group(2).equals("!="), Set.of(equality.group(3)));
    }
    Matcher set = SET.matcher(part);
    if (set.matches()) {
      return values(
          set.group(1),
          set.group(2).equals("in"),
          Set.copyOf(List.of(set.group(3).strip().split("\\s*,\\s*", -1))));
    }
    Matcher exists = EXISTS.matcher(part);
    if (exists.matches()) {
      boolean wanted = exists.group(1).isEmpty();
      return labels -> labels.containsKey(exists.group(2)) == wanted;
    }
    throw new IllegalArgumentException(part);
  }

  /** As Kubernetes has it: what is absent is not equal to anything. */
  private static Predicate<Map<String, String>> values(
      String key, boolean wanted, Set<String> values) {
    return labels -> {
      @Nullable String value = labels.get(key);
      return (value != null && values.contains(value)) == wanted;
    };
  }

  public boolean isAll() {
    return requirements.isEmpty();
  }

  public boolean matches(Map<String, String> labels) {
    return requirements.stream().allMatch(requirement -> requirement.test(labels));
  }

  /** To be added to a query. */
  public String query() {
    return isAll() ? "" : "&labelSelector=" + Pages.encoded(text);
  }
}
