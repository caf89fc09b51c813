package dev.nodekeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.testbed.binaries.Binaries;
import dev.nodekeeper.testbed.binaries.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@SuppressWarnings("NullAway.Init") // JUnit makes the folder
@DisplayName("What README and docs tell people to type can be typed")
final class DocsIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final List<String> PAGES =
      List.of(
          "README.md",
          "docs/coming-from.md",
          "docs/operations/console.md",
          "docs/operations/install.md");

  /** Typed by another test, because it never ends, needs a package or is a whole test by itself. */
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "./nodekeeper run", "operator/src/test/java/dev/nodekeeper/it/RunProcess.java",
          "helm install", "operator/src/test/java/dev/nodekeeper/it/deploy/ChartIT.java",
          "kubectl apply -k", "cli/src/test/java/dev/nodekeeper/cli/it/Installed.java",
          "kubectl apply -f", "cli/src/test/java/dev/nodekeeper/cli/it/Installed.java",
          "apt install", "hack/deb-test.sh",
          "install -m", "hack/deb-test.sh",
          "systemctl start", "hack/deb-test.sh");

  /** Needs a kubelet, of which there is none here. */
  private static final String NOT_HERE = "kubectl port-forward";

  private static final Pattern BLOCK = Pattern.compile("(?s)```sh\n(.*?)```");
  private static final Bed BED = new Bed();

  @TempDir private static Path dir;

  @BeforeAll
  static void things() {
    BED.admin.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"node-metadata\"}}");
    BED.admin
        .create(
            "/api/v1/namespaces/node-metadata/configmaps",
            """
            {"metadata": {"name": "w1"}, "data": {"node_name": "w1", "label_version": "0",
             "example.com---SLASH---team": "vision"}}
            """)
        .expect();
  }

  @AfterAll
  static void end() throws Exception {
    BED.admin.delete("/api/v1/namespaces/node-metadata");
    BED.close();
  }

  static Stream<String> lines() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String page : PAGES) {
      Matcher block = BLOCK.matcher(Files.readString(ROOT.resolve(page)));
      while (block.find()) {
        block
            .group(1)
            .replaceAll("\\\\\n\\s*", "")
            .lines()
            .map(line -> line.replaceFirst(" +#.*", "").strip())
            .filter(line -> !line.isEmpty() && !line.startsWith(NOT_HERE))
            .forEach(lines::add);
      }
    }
    assertThat(lines).hasSizeGreaterThan(8);
    return lines.stream();
  }

  @ParameterizedTest
  @MethodSource("lines")
  @DisplayName("each line")
  void typed(String line) throws Exception {
    var other = ELSEWHERE.keySet().stream().filter(line::startsWith).findFirst();
    if (other.isPresent()) {
      assertThat(ROOT.resolve(String.valueOf(ELSEWHERE.get(other.get())))).exists();
      return;
    }
    String real = line.startsWith("make ") ? "make -n" + line.substring(4) : line;
    assertThat(real).matches("(make -n|kubectl|\\./nodekeeper) .*");
    assertThat(run(real)).as(real).isIn(0, ExitCode.ATTENTION);
  }

  private static int run(String line) throws Exception {
    Path kubectl =
        Binaries.fromEnvironment(System.err::println)
            .resolve(List.of(Tool.KUBECTL))
            .get(Tool.KUBECTL);
    String typed =
        line.replace("./nodekeeper", "'" + ROOT + "/nodekeeper'")
            .replace("old.yaml", "'" + dir.resolve("old.yaml") + "'")
            .replaceFirst("^kubectl", "'" + kubectl + "'");
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", typed)
            .directory(ROOT.toFile())
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("out").toFile());
    builder
        .environment()
        .putAll(
            Map.of(
                "KUBECONFIG",
                BED.plane.adminKubeconfig().toString(),
                "NODEKEEPER_NAMESPACE",
                BED.namespace,
                "NODEKEEPER_BUILD",
                "never",
                "JAVA_HOME",
                System.getProperty("java.home")));
    Process process = builder.start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    if (process.exitValue() != 0) {
      System.err.println(Files.readString(dir.resolve("out")));
    }
    return process.exitValue();
  }

  @Test
  @DisplayName("README names every command there is, and none that is not")
  void commands() throws Exception {
    var known = new TreeSet<String>();
    Commands.line(Screen.standard(), Map.of())
        .getSubcommands()
        .forEach(
            (name, command) -> {
              if (!command.getCommandSpec().usageMessage().hidden()) {
                known.add(name);
              }
            });
    var named = new TreeSet<String>();
    Matcher row =
        Pattern.compile("(?m)^\\| `nodekeeper ([^|]*)\\|")
            .matcher(Files.readString(ROOT.resolve("README.md")));
    while (row.find()) {
      for (String part : row.group(1).split(",", -1)) {
        named.add(part.replace("`", "").strip().split(" ", -1)[0]);
      }
    }
    assertThat(named).isEqualTo(known);
  }
}
