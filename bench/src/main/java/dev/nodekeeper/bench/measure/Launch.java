package dev.nodekeeper.bench.measure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * How {@code nodekeeper run} is started: by the launcher of the repository, so that its choice of
 * JVM options is what is measured.
 *
 * @param launcher the script {@code nodekeeper}
 * @param jvm more JVM options, such as {@code -Xmx256m}
 * @param logs folder for what the processes print
 */
public record Launch(Path launcher, List<String> jvm, Path logs) {

  /** The launcher of this folder, or of the one above (where Maven runs the tests of a module). */
  public static Path findLauncher() {
    return Stream.of("nodekeeper", "../nodekeeper")
        .map(Path::of)
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst()
        .map(file -> file.toAbsolutePath().normalize())
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "There is no launcher 'nodekeeper' here; start the bench in the repository"));
  }

  public Launch with(String option) {
    return new Launch(launcher, Stream.concat(jvm.stream(), Stream.of(option)).toList(), logs);
  }
}
