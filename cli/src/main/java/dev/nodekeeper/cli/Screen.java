package dev.nodekeeper.cli;

import java.io.Console;
import java.io.PrintStream;
import java.util.Map;
import picocli.CommandLine.Help.Ansi;

/** Where a command writes; colours only where a person looks and has not asked for none. */
public final class Screen {
  private final PrintStream out;
  private final PrintStream err;
  private final Ansi ansi;

  public Screen(PrintStream out, PrintStream err, Ansi ansi) {
    this.out = out;
    this.err = err;
    this.ansi = ansi;
  }

  @SuppressWarnings("SystemConsoleNull") // null or not depends on jdk.console; both are asked
  static Screen standard() {
    Console console = System.console();
    boolean terminal = console != null && console.isTerminal();
    return new Screen(System.out, System.err, ansi(terminal, System.getenv()));
  }

  static Ansi ansi(boolean terminal, Map<String, String> env) {
    boolean wanted =
        env.getOrDefault("NO_COLOR", "").isEmpty()
            && !env.getOrDefault("TERM", "dumb").equals("dumb");
    return terminal && wanted ? Ansi.ON : Ansi.OFF;
  }

  public Ansi ansi() {
    return ansi;
  }

  PrintStream out() {
    return out;
  }

  PrintStream err() {
    return err;
  }

  public void line(String text) {
    out.println(text);
  }

  /** For a person who waits; not part of a command's result. */
  public void note(String text) {
    err.println(text);
  }

  /** Text with its own line breaks. */
  public void text(String text) {
    out.print(text);
    out.flush();
  }

  /** One line that the next one replaces; empty text removes it. Only for a terminal. */
  void status(String text) {
    err.print("\r\u001b[K" + text);
    err.flush();
  }

  public String bold(String text) {
    return paint("1", text);
  }

  public String faint(String text) {
    return paint("2", text);
  }

  public String good(String text) {
    return paint("32", text);
  }

  public String odd(String text) {
    return paint("33", text);
  }

  public String bad(String text) {
    return paint("31", text);
  }

  private String paint(String code, String text) {
    return ansi.enabled() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
