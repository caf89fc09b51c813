package dev.nodekeeper.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import picocli.CommandLine.Help.Ansi;

/** What somebody typed, and what came of it, without starting a process. */
record Typed(int exitCode, String out, String err) {

  static Typed in(Map<String, String> env, String... arguments) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var screen =
        new Screen(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Ansi.OFF);
    int code = Commands.line(screen, env).execute(arguments);
    return new Typed(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  static Typed plainly(String... arguments) {
    return in(Map.of(), arguments);
  }
}
