package dev.nodekeeper.testbed.binaries;

import java.io.IOException;

/** Exit code and everything the program printed, both streams. */
public record Outcome(int code, String output) {

  String require(String what) throws IOException {
    if (code != 0) {
      throw new IOException(what + " ended with code " + code + ": " + tail());
    }
    return output;
  }

  private String tail() {
    var lines = output.strip().lines().toList();
    return String.join(" | ", lines.subList(Math.max(0, lines.size() - 4), lines.size()));
  }
}
