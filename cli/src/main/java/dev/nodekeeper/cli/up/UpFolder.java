package dev.nodekeeper.cli.up;

import dev.nodekeeper.cli.ProblemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The one folder that everything of an {@code up} lives in. */
public record UpFolder(Path root) {
  private static final String OVERRIDE = "NODEKEEPER_UP_DIR";

  public static UpFolder of(Map<String, String> env) {
    Path root =
        set(env, OVERRIDE)
            .orElseGet(
                () ->
                    set(env, "XDG_STATE_HOME")
                        .orElseGet(() -> home(env).resolve(".local/state"))
                        .resolve("nodekeeper/up"));
    return new UpFolder(root.toAbsolutePath().normalize());
  }

  /** NB: the JVM's user.home ignores HOME, which is what a person means by it. */
  private static Path home(Map<String, String> env) {
    return set(env, "HOME").orElseGet(() -> Path.of(System.getProperty("user.home")));
  }

  private static Optional<Path> set(Map<String, String> env, String variable) {
    return Optional.ofNullable(env.get(variable)).filter(v -> !v.isBlank()).map(Path::of);
  }

  /** Only in a folder that we made or found empty: what makes it ours to remove. */
  private Path mark() {
    return root.resolve(".nodekeeper-up");
  }

  Path state() {
    return root.resolve("up.json");
  }

  Path lib() {
    return root.resolve("lib");
  }

  Path kubectlCache() {
    return root.resolve("kubectl-cache");
  }

  public Path log(String name) {
    return root.resolve("logs").resolve(name + ".log");
  }

  /** For a person who forgot the export; empty unless an {@code up} is really there. */
  public Optional<String> kubeconfigOfRunning() {
    try {
      return UpState.read(this).filter(UpState::running).map(UpState::kubeconfig);
    } catch (ProblemException e) {
      // A hint is all this is for.
      return Optional.empty();
    }
  }

  /** Makes it ours; false when there is something in it already, or somebody else was faster. */
  boolean claim() {
    try {
      var ownerOnly = PosixFilePermissions.fromString("rwx------");
      Files.createDirectories(root, PosixFilePermissions.asFileAttribute(ownerOnly));
      try (Stream<Path> inside = Files.list(root)) {
        if (inside.findAny().isPresent()) {
          return false;
        }
      }
      Files.createFile(mark());
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot use " + root, e);
    }
  }

  boolean claimed() {
    return Files.exists(mark());
  }

  /** Does nothing to a folder that is not ours. */
  void delete() {
    if (!claimed()) {
      return;
    }
    try (Stream<Path> below = Files.walk(root)) {
      // The mark goes last: a removal that is cut short can be repeated.
      var order =
          Comparator.<Path>comparingInt(path -> path.equals(root) ? 2 : path.equals(mark()) ? 1 : 0)
              .thenComparing(Comparator.reverseOrder());
      for (Path path : below.sorted(order).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (NoSuchFileException e) {
      throw new UncheckedIOException("somebody else is removing " + root, e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + root, e);
    }
  }
}
