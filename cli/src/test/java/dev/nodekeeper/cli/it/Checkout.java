package dev.nodekeeper.cli.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The real launcher in a checkout whose Maven and JDKs only write down that they were called. */
final class Checkout {
  private static final List<String> TOOLS =
      List.of("cat", "dirname", "find", "head", "mkdir", "mv", "readlink", "rm", "sleep", "tr");

  private static final String MAVEN =
      """
      #!/bin/sh
      echo built >>builds
      echo "JAVA_HOME=$JAVA_HOME"
      [ ! -e slow ] || sleep 1
      [ ! -e broken ] || { echo 'A.java: cannot find symbol'; exit 1; }
      mkdir -p cli/target/app/lib
      """;

  private static final String JAVA =
      """
      #!/bin/sh
      echo "java:$0"
      for argument in "$@"; do echo "arg:$argument"; done
      """;

  private final Path root;
  private final Path tools;
  private final Path jdks;

  Checkout(Path dir) throws IOException {
    root = Files.createDirectories(dir.resolve("a checkout"));
    tools = Files.createDirectories(dir.resolve("tools"));
    jdks = Files.createDirectories(dir.resolve("jdks"));
    for (String tool : TOOLS) {
      String real = Files.exists(Path.of("/bin", tool)) ? "/bin/" + tool : "/usr/bin/" + tool;
      script(tools.resolve(tool), "#!/bin/sh\nexec " + real + " \"$@\"\n");
    }
    for (String script : List.of("nodekeeper", "hack/find-jdk.sh")) {
      Files.createDirectories(root.resolve(script).getParent());
      Files.copy(Ran.repository().resolve(script), root.resolve(script));
    }
    script(root.resolve("mvnw"), MAVEN);
    Files.createDirectories(source().getParent());
    Files.writeString(source(), "class A {}");
    Files.writeString(root.resolve("pom.xml"), "");
    Files.writeString(root.resolve("cli/pom.xml"), "");
  }

  Path root() {
    return root;
  }

  Path source() {
    return root.resolve("cli/src/main/java/A.java");
  }

  /** Where a new JDK of this version is found without being named. */
  Path jdk(String version) throws IOException {
    return jdk(jdks.resolve("jdk-" + version), version);
  }

  static Path jdk(Path home, String version) throws IOException {
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(
        home.resolve("release"), "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"" + version + "\"\n");
    script(home.resolve("bin/java"), JAVA);
    script(home.resolve("bin/javac"), JAVA);
    return home;
  }

  private static void script(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  Ran run(String... arguments) throws IOException, InterruptedException {
    return run(Map.of(), root.resolve("nodekeeper"), arguments);
  }

  Ran run(Map<String, String> more, Path launcher, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(arguments));
    return Ran.of(tools, env(more), command);
  }

  Process start(Path output) throws IOException {
    return Ran.start(tools, env(Map.of()), List.of(root.resolve("nodekeeper").toString()), output);
  }

  private Map<String, String> env(Map<String, String> more) {
    Map<String, String> env = new HashMap<>();
    env.put("PATH", tools.toString());
    env.put("JAVA_HOME", "");
    env.put("NODEKEEPER_BUILD", "");
    env.put("NODEKEEPER_JAVA_OPTS", "");
    env.put("NODEKEEPER_JDK_PLACES", "/nonexistent:" + jdks);
    env.putAll(more);
    return env;
  }

  int builds() throws IOException {
    Path builds = root.resolve("builds");
    return Files.exists(builds) ? Files.readAllLines(builds).size() : 0;
  }

  /** As if the last build had been a while ago. */
  void age() throws IOException {
    var then = FileTime.from(Instant.now().minusSeconds(60));
    try (var all = Files.walk(root)) {
      for (Path path : all.filter(p -> !p.endsWith("built")).toList()) {
        Files.setLastModifiedTime(path, FileTime.from(Instant.now().minusSeconds(120)));
      }
    }
    Files.setLastModifiedTime(root.resolve("cli/target/app/built"), then);
  }
}
