package dev.nodekeeper.bench.measure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * How {@code nodekeeper run} is started: by the launcher of the repository, so that its choice of
 * JVM options is what is measured.
 *
 * @param command the script {@code nodekeeper}, and what it is to run in
 * @param jvm more JVM options, such as {@code -Xmx256m}
 * @param logs folder for what the processes print
 */
public record Launch(List<String> command, List<String> jvm, Path logs) {

  public static List<String> launcher() {
    return List.of(find("nodekeeper"));
  }

  /** The same with a limit on its memory, as a container has it. */
  public static List<String> launcherWithin(int mib) {
    return List.of(find("hack/within.sh"), Integer.toString(mib), find("nodekeeper"));
  }

  /** A program of this folder, or of the one above (where Maven runs the tests of a module). */
  private static String find(String program) {
    return Stream.of(program, "../" + program)
        .map(Path::of)
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst()
        .map(file -> file.toAbsolutePath().normalize().toString())
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "There is no '%s' here; start the bench in the repository".formatted(program)));
  }

  /** The command without its folders. */
  public String told() {
    return String.join(
        " ", command.stream().map(word -> word.substring(word.lastIndexOf('/') + 1)).toList());
  }

  public Launch with(String option) {
    return new Launch(command, Stream.concat(jvm.stream(), Stream.of(option)).toList(), logs);
  }
}
