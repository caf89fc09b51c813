package dev.nodekeeper.console;

import dev.nodekeeper.look.Printable;

/**
 * A page in the making. What is written by {@link #raw} stands in our source; everything else is
 * escaped, wherever it came from.
 */
final class Html {
  private final StringBuilder page = new StringBuilder(8192);

  /** Markup of ours; NB: never with a value in it. */
  Html raw(String markup) {
    page.append(markup);
    return this;
  }

  Html text(String text) {
    page.append(escaped(text));
    return this;
  }

  Html text(long number) {
    page.append(number);
    return this;
  }

  /** An element with nothing but text in it. */
  Html element(String name, String text) {
    return raw("<").raw(name).raw(">").text(text).raw("</").raw(name).raw(">");
  }

  Html cell(String text) {
    return element("td", text);
  }

  /** Within a tag. */
  Html attribute(String name, String value) {
    return raw(" ").raw(name).raw("=\"").text(value).raw("\"");
  }

  Html link(String address, String text) {
    return raw("<a").attribute("href", address).raw(">").text(text).raw("</a>");
  }

  /** For elements and quoted attributes alike; what would change the look of a line is shown. */
  static String escaped(String text) {
    StringBuilder safe = new StringBuilder(text.length() + 16);
    String shown = Printable.line(text);
    for (int i = 0; i < shown.length(); i++) {
      char c = shown.charAt(i);
      switch (c) {
        case '&' -> safe.append("&amp;");
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '"' -> safe.append("&quot;");
        case '\'' -> safe.append("&#39;");
        default -> safe.append(c);
      }
    }
    return safe.toString();
  }

  @Override
  public String toString() {
    return page.toString();
  }
}
