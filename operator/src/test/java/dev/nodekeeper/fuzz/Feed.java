package dev.nodekeeper.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A fuzzer's bytes as lines of text, so that a corpus can be written and read by people. */
final class Feed {
  private final List<String> lines;
  private int next;

  Feed(byte[] bytes) {
    lines = List.of(new String(bytes, StandardCharsets.UTF_8).split("\n", -1));
  }

  boolean more() {
    return next < lines.size();
  }

  /** The next line, or nothing. */
  String line() {
    return more() ? lines.get(next++) : "";
  }

  /** The parts of the next line, at least that many. */
  List<String> parts(int least) {
    List<String> parts = new ArrayList<>(List.of(line().split("\t", -1)));
    while (parts.size() < least) {
      parts.add("");
    }
    return parts;
  }
}
