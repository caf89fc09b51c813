package dev.nodekeeper.testbed.binaries;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Some programs could not be had; the message lists what was tried and what a person can do. */
public final class MissingBinariesException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  MissingBinariesException(Set<Tool> missing, List<String> tried) {
    super(message(missing, tried));
  }

  private static String message(Set<Tool> missing, List<String> tried) {
    var names = missing.stream().map(Tool::fileName).collect(Collectors.joining(", "));
    var lines = tried.stream().map(line -> "  - " + line + "\n").collect(Collectors.joining());
    return "cannot find or make "
        + names
        + ". Tried:\n"
        + lines
        + "What to do: install Go "
        + "(then they are built once, into the cache), or set KUBEBUILDER_ASSETS to a folder that has them.";
  }
}
