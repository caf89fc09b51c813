package dev.nodekeeper.cli;

/** The nodekeeper program. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(Commands.line(Screen.standard(), System.getenv()).execute(args));
  }
}
