package dev.nodekeeper.cli.up;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * This very program, to be started again as a process that stays.
 *
 * <p>It runs from a copy of its jars: the next build replaces the originals under its feet.
 */
final class Program {
  private static final List<String> OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:+UseCompactObjectHeaders",
          "-Xshare:auto",
          "-Xmx256m",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  private final UpFolder folder;
  private final String classPath;

  private Program(UpFolder folder, String classPath) {
    this.folder = folder;
    this.classPath = classPath;
  }

  static Program copiedInto(UpFolder folder) {
    try {
      Files.createDirectories(folder.lib());
      for (Path jar : entries().filter(Files::isRegularFile).toList()) {
        Files.copy(
            jar, folder.lib().resolve(jar.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot copy the program into " + folder.lib(), e);
    }
    return alreadyIn(folder);
  }

  /** The copy that was made before; other processes may be running from it. */
  static Program alreadyIn(UpFolder folder) {
    // Folders are classes that an IDE compiled.
    Stream<String> folders = entries().filter(Files::isDirectory).map(Path::toString);
    return new Program(
        folder,
        Stream.concat(Stream.of(folder.lib() + File.separator + "*"), folders)
            .collect(Collectors.joining(File.pathSeparator)));
  }

  private static Stream<Path> entries() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(entry -> Path.of(entry).toAbsolutePath());
  }

  /** Stands early in the command line, where the kernel shows it however long the rest is. */
  private String mark() {
    return "-Dnodekeeper.up=" + folder.root();
  }

  Detached.Id start(String log, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(mark());
    command.addAll(OPTIONS);
    command.addAll(List.of("-cp", classPath, "dev.nodekeeper.cli.Main"));
    command.addAll(List.of(arguments));
    return Detached.start(command, mark(), folder.log(log));
  }
}
