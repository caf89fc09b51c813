package dev.nodekeeper.sim;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;

/**
 * The simulator, loaded once more around a core with one line changed. The product needs no switch
 * for that: the source is changed as text, compiled, and put before the real classes.
 */
@NullMarked
final class ChangedCore extends ClassLoader {
  private static final String OURS = "dev.nodekeeper.";
  private static final Path SOURCES = Path.of("../core/src/main/java/dev/nodekeeper/core");

  private final Path classes;

  private ChangedCore(Path classes) {
    super(ChangedCore.class.getClassLoader());
    this.classes = classes;
  }

  /** One exact replacement in one file of the core. */
  record Change(String file, String find, String replace) {}

  static ChangedCore with(String name, List<Change> changes) throws IOException {
    Path folder = Path.of("target/planted", name.replaceAll("[^A-Za-z0-9]+", "-"));
    Path classes = Files.createDirectories(folder.resolve("classes"));
    removeFiles(folder);
    for (Change change : changes) {
      Path source = folder.resolve(Path.of(change.file()).getFileName());
      String text =
          Files.exists(source)
              ? Files.readString(source)
              : Files.readString(SOURCES.resolve(change.file()));
      int times = text.split(java.util.regex.Pattern.quote(change.find()), -1).length - 1;
      if (times != 1) {
        throw new AssertionError(
            "adapt \"%s\": %s has this %d times, not once: %s"
                .formatted(name, change.file(), times, change.find()));
      }
      Files.writeString(source, text.replace(change.find(), change.replace()));
    }
    compile(folder, classes);
    return new ChangedCore(classes);
  }

  /** An earlier run may have changed other files, or ended half-way. */
  private static void removeFiles(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
      }
    }
  }

  private static void compile(Path folder, Path classes) throws IOException {
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    StringWriter said = new StringWriter();
    try (var files = compiler.getStandardFileManager(null, null, null);
        var sources = Files.list(folder)) {
      List<Path> changed = sources.filter(path -> path.toString().endsWith(".java")).toList();
      String classPath = System.getProperty("java.class.path");
      List<String> options =
          List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-cp", classPath);
      boolean compiles =
          compiler
              .getTask(said, files, null, options, null, files.getJavaFileObjectsFromPaths(changed))
              .call();
      if (!compiles) {
        throw new AssertionError(folder + " does not compile: " + said);
      }
      for (Path source : changed) {
        Files.delete(source);
      }
    }
  }

  /** Calls a static method of a class of this package, loaded around the changed core. */
  Object call(Class<?> type, String method, Object... arguments) {
    try {
      for (Method candidate : loadClass(type.getName()).getDeclaredMethods()) {
        if (candidate.getName().equals(method)) {
          candidate.setAccessible(true);
          return Objects.requireNonNullElse(candidate.invoke(null, arguments), "");
        }
      }
      throw new AssertionError("no method " + method);
    } catch (ClassNotFoundException | IllegalAccessException | InvocationTargetException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      return name.startsWith(OURS) ? define(name) : super.loadClass(name, resolve);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String path = name.replace('.', '/') + ".class";
    Path changed = classes.resolve(path);
    try (InputStream original = getParent().getResourceAsStream(path)) {
      if (!Files.exists(changed) && original == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes =
          Files.exists(changed)
              ? Files.readAllBytes(changed)
              : Objects.requireNonNull(original).readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
