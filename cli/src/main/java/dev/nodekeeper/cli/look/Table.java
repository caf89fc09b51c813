package dev.nodekeeper.cli.look;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Columns of text, each as wide as its widest cell. */
public final class Table {
  private static final String GAP = "   ";
  private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*m");

  private final List<List<String>> rows = new ArrayList<>();

  public Table row(String... cells) {
    rows.add(List.of(cells));
    return this;
  }

  public List<String> lines() {
    int columns = rows.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], width(row.get(i)));
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      line.append(row.get(i));
      line.repeat(' ', widths[i] - width(row.get(i))).append(GAP);
    }
    return line.toString().stripTrailing();
  }

  /** Colours take no room. */
  private static int width(String cell) {
    String plain = cell.indexOf('\u001b') < 0 ? cell : COLOUR.matcher(cell).replaceAll("");
    return plain.codePointCount(0, plain.length());
  }
}
