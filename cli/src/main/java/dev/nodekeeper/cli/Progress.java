package dev.nodekeeper.cli;

/** A bar for a person who waits; nothing where nobody looks, or where it is soon done. */
public final class Progress {
  private static final int WIDTH = 30;
  private static final int FEW = 50;

  private final Screen screen;
  private final String what;
  private final int total;
  private int done;

  public Progress(Screen screen, String what, int total) {
    this.screen = screen;
    this.what = what;
    this.total = total;
  }

  /** One more; from any thread. */
  public synchronized void step() {
    done++;
    if (total <= FEW || !screen.ansi().enabled()) {
      return;
    }
    int full = (int) ((long) done * WIDTH / total);
    screen.status(
        "%s [%s%s] %d/%d".formatted(what, "#".repeat(full), " ".repeat(WIDTH - full), done, total));
    if (done == total) {
      screen.status("");
    }
  }
}
