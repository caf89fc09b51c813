package dev.nodekeeper.bench.report;

import java.io.Console;
import java.util.Locale;

/** Where we are: one line that is rewritten on a terminal, a line for every tenth elsewhere. */
public final class Progress {
  private static final boolean TERMINAL = terminal();
  private static final int BAR = 30;
  private static final long PAUSE_NANOS = TERMINAL ? 100_000_000L : 2_000_000_000L;

  private final String what;
  private final int total;
  private final long beganNanos = System.nanoTime();
  private int shown;
  private long shownNanos = beganNanos;

  public Progress(String what, int total) {
    this.what = what;
    this.total = Math.max(1, total);
  }

  @SuppressWarnings("SystemConsoleNull") // null or not depends on jdk.console; both are asked
  private static boolean terminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  public int total() {
    return total;
  }

  public static void line(String text) {
    System.out.println(text);
  }

  /** So many are done now; never goes back. */
  public synchronized void at(int done) {
    int steps = TERMINAL ? 100 : 10;
    int step = (int) ((long) Math.min(done, total) * steps / total);
    boolean late = System.nanoTime() - shownNanos > PAUSE_NANOS;
    if (step > shown && (late || step == steps)) {
      shown = step;
      shownNanos = System.nanoTime();
      show(Math.min(done, total));
    }
  }

  private void show(int done) {
    double seconds = (System.nanoTime() - beganNanos) / 1e9;
    var text =
        String.format(
            Locale.ROOT,
            "%-34s %3d %% %,9d  %6.1f s  %,7.0f/s",
            what,
            (int) (100L * done / total),
            done,
            seconds,
            done / seconds);
    if (TERMINAL) {
      int filled = (int) ((long) BAR * done / total);
      System.out.print("\r" + text + " [" + "#".repeat(filled) + ".".repeat(BAR - filled) + "]");
      if (done == total) {
        System.out.println();
      }
    } else {
      System.out.println(text);
    }
  }
}
