package dev.nodekeeper.cli;

import dev.nodekeeper.look.Selector;
import picocli.CommandLine.Option;

/** The flag {@code -l}. */
final class Selection {
  @Option(
      names = {"-l", "--selector"},
      paramLabel = "SELECTOR",
      description =
          "Only nodes with these labels, as kubectl takes them; of nodes that are away, the labels"
              + " in their record count.")
  private String text = "";

  Selector selector() {
    try {
      return Selector.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ProblemException(
          ExitCode.BAD_USAGE,
          "--selector: '%s' is none; write key=value, key!=value, key in (a,b), key or !key"
              .formatted(e.getMessage()));
    }
  }
}
