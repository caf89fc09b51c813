package dev.nodekeeper.spec;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import tlc2.TLC;
import util.ToolIO;

/**
 * Checks configurations one after the other. One JVM for all of them: most are small, and TLC is
 * ten times faster once it is compiled.
 */
@NullMarked
final class TlcMain {
  private TlcMain() {}

  /** Arguments: scratch folder, number of workers, configurations. A line on each when it ends. */
  public static void main(String[] args) throws Exception {
    PrintStream out = System.out;
    Path scratch = Path.of(args[0]);
    List<String> configs = Arrays.asList(args).subList(2, args.length);
    for (String config : configs) {
      Path log = Tlc.log(scratch, Path.of(config));
      try (PrintStream tlcOut =
          new PrintStream(Files.newOutputStream(log), true, StandardCharsets.UTF_8)) {
        ToolIO.reset();
        ToolIO.out = tlcOut;
        ToolIO.err = tlcOut;
        TLC tlc = new TLC();
        String[] parameters = {
          "-deadlock",
          "-workers",
          args[1],
          "-metadir",
          Files.createTempDirectory(scratch, "states").toString(),
          "-config",
          config,
          "MC.tla"
        };
        int code = tlc.handleParameters(parameters) ? tlc.process() : -1;
        out.println(code);
      }
    }
    // TLC leaves threads behind.
    System.exit(0);
  }
}
