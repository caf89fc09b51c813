package dev.nodekeeper.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A long text with a few gaps, filled 2,000 times a second: cut once, then only copied. */
final class Template {
  private static final Pattern GAP = Pattern.compile("\\$\\{(\\w+)}");

  private final List<String> texts = new ArrayList<>();
  private final List<String> gaps = new ArrayList<>();
  private final int length;

  Template(String text) {
    var found = GAP.matcher(text);
    int from = 0;
    while (found.find()) {
      texts.add(text.substring(from, found.start()));
      gaps.add(found.group(1));
      from = found.end();
    }
    texts.add(text.substring(from));
    length = text.length() + 64 * gaps.size();
  }

  String fill(Map<String, String> values) {
    var filled = new StringBuilder(length);
    for (int i = 0; i < gaps.size(); i++) {
      filled.append(texts.get(i)).append(values.get(gaps.get(i)));
    }
    return filled.append(texts.getLast()).toString();
  }
}
