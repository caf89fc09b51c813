package dev.nodekeeper.core.policy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A list of label, taint or annotation keys in which {@code *} stands for any run of characters.
 *
 * <p>One pattern per line; blank lines and lines that start with {@code #} are skipped.
 */
public final class KeyPatterns {

  private final Set<String> keys = new HashSet<>();

  /** Patterns of the form {@code prefix/*}, by far the most common, as {@code prefix/}. */
  private final Set<String> prefixes = new HashSet<>();

  private final List<Wildcard> wildcards = new ArrayList<>();

  private KeyPatterns() {}

  /** Loads a list that lies beside this class, for example {@code facts.txt}. */
  public static KeyPatterns resource(String file) {
    try (InputStream in = KeyPatterns.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalArgumentException(
            file + ": no such list in package " + KeyPatterns.class.getPackageName());
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return of(file, text.lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the list " + file, e);
    }
  }

  /**
   * Reads a list from lines.
   *
   * @param source where the lines come from, named in the message when one is malformed
   */
  public static KeyPatterns of(String source, List<String> lines) {
    KeyPatterns patterns = new KeyPatterns();
    int number = 0;
    for (String line : lines) {
      number++;
      String pattern = line.strip();
      if (pattern.isEmpty() || pattern.startsWith("#")) {
        continue;
      }
      String reason = malformed(pattern);
      if (reason != null) {
        throw new IllegalArgumentException(
            "%s:%d: '%s' %s".formatted(source, number, pattern, reason));
      }
      patterns.add(pattern);
    }
    return patterns;
  }

  public boolean matches(String key) {
    if (keys.contains(key)) {
      return true;
    }
    int slash = key.indexOf('/');
    if (slash >= 0 && prefixes.contains(key.substring(0, slash + 1))) {
      return true;
    }
    for (Wildcard wildcard : wildcards) {
      if (wildcard.matches(key)) {
        return true;
      }
    }
    return false;
  }

  private void add(String pattern) {
    int star = pattern.indexOf('*');
    if (star < 0) {
      keys.add(pattern);
    } else if (star == pattern.length() - 1 && pattern.endsWith("/*")) {
      prefixes.add(pattern.substring(0, star));
    } else {
      wildcards.add(Wildcard.of(pattern));
    }
  }

  private static @Nullable String malformed(String pattern) {
    int slashes = 0;
    boolean literal = false;
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == '/') {
        slashes++;
      } else if (c == '*') {
        if (i > 0 && pattern.charAt(i - 1) == '*') {
          return "has two '*' in a row; one is enough";
        }
      } else if (Rules.alphanumeric(c) || c == '-' || c == '_' || c == '.') {
        literal = true;
      } else if (Character.isWhitespace(c) || c == '#') {
        return "must be one pattern; put a comment on its own line";
      } else {
        return "has a character that no key can have: '" + c + "'";
      }
    }
    if (slashes > 1) {
      return "has more than one '/', so no key can match it";
    }
    if (pattern.startsWith("/") || pattern.endsWith("/")) {
      return "must have something on both sides of the '/'";
    }
    return literal ? null : "would match every key";
  }

  /** A pattern cut at its stars; matching goes left to right and never steps back. */
  private record Wildcard(String head, List<String> middle, String tail) {

    static Wildcard of(String pattern) {
      int first = pattern.indexOf('*');
      int last = pattern.lastIndexOf('*');
      List<String> middle = new ArrayList<>();
      int from = first + 1;
      while (from <= last) {
        int star = pattern.indexOf('*', from);
        middle.add(pattern.substring(from, star));
        from = star + 1;
      }
      return new Wildcard(
          pattern.substring(0, first), List.copyOf(middle), pattern.substring(last + 1));
    }

    boolean matches(String key) {
      int end = key.length() - tail.length();
      if (end < head.length() || !key.startsWith(head) || !key.endsWith(tail)) {
        return false;
      }
      int at = head.length();
      for (String part : middle) {
        // The first place is always the best one: it leaves the most for the parts that follow.
        int found = key.indexOf(part, at);
        if (found < 0 || found + part.length() > end) {
          return false;
        }
        at = found + part.length();
      }
      return true;
    }
  }
}
