package dev.nodekeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandsTest {

  @Test
  @DisplayName("without a command the help is shown, and a script sees bad usage")
  void nothing() {
    var typed = Typed.plainly();
    assertThat(typed.exitCode()).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(typed.out()).isEmpty();
    assertThat(typed.err()).contains("Commands:", "  run ", "  list ", "  show ", "  up ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run",
        "list",
        "show",
        "diff",
        "top",
        "plan",
        "doctor",
        "forget",
        "move",
        "export",
        "import",
        "completion",
        "uninstall",
        "up",
        "down",
        "version",
        "restart",
        "machines"
      })
  @DisplayName("every command has a help, and it is no failure to ask for it")
  void help(String command) {
    var asked = Typed.plainly(command, "--help");
    assertThat(asked.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(asked.out()).startsWith("Usage: nodekeeper " + command).contains("--help");
    assertThat(Typed.plainly("help", command).out()).isEqualTo(asked.out());
  }

  @Test
  @DisplayName("what people need not know of is not in the list of commands")
  void hidden() {
    assertThat(Typed.plainly("--help").out()).doesNotContain("\n  machines ", "\n  restart ");
  }

  @Test
  @DisplayName("the help lists the exit codes")
  void exitCodes() {
    assertThat(Typed.plainly("--help").out())
        .contains("0   done", "1   failed", "2   bad usage", "3   there is no such node");
  }

  @Test
  @DisplayName("a mistyped command is bad usage, with a suggestion")
  void mistyped() {
    var typed = Typed.plainly("lst");
    assertThat(typed.exitCode()).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(typed.err()).contains("'lst'", "list").doesNotContain("\tat ");
  }

  @Test
  @DisplayName("a failure is one line without a stack trace, unless asked for")
  void failure(@TempDir Path dir) {
    String file = dir.resolve("nope").toString();
    var typed = Typed.plainly("list", "--kubeconfig", file);
    assertThat(typed.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(typed.err().lines()).singleElement().asString().contains(file);
    assertThat(Typed.plainly("list", "-v", "--kubeconfig", file).err()).contains("\tat ");
  }

  @Test
  @DisplayName("a cluster that does not answer is a failure that names it")
  void unreachable(@TempDir Path dir) throws Exception {
    Path file =
        Files.writeString(
            dir.resolve("config"),
            """
            apiVersion: v1
            kind: Config
            current-context: a
            clusters: [{name: a, cluster: {server: "http://127.0.0.1:1"}}]
            contexts: [{name: a, context: {cluster: a, user: a}}]
            users: [{name: a, user: {}}]
            """);
    var typed = Typed.plainly("show", "gpu-17", "--kubeconfig=" + file);
    assertThat(typed.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(typed.err()).contains("http://127.0.0.1:1", "--context");
  }

  @Test
  @DisplayName("what cannot be the name of a node is bad usage")
  void badName() {
    var typed = Typed.plainly("show", "../secrets/x");
    assertThat(typed.exitCode()).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(typed.err()).contains("../secrets/x");
  }

  @Test
  @DisplayName("down and restart where nothing runs: the first is fine, the second says what to do")
  void nothingRuns(@TempDir Path dir) {
    Map<String, String> env = Map.of("NODEKEEPER_UP_DIR", dir.resolve("up").toString());
    assertThat(Typed.in(env, "down"))
        .isEqualTo(new Typed(ExitCode.OK, "Nothing is running" + System.lineSeparator(), ""));
    var restart = Typed.in(env, "restart", "worker-1");
    assertThat(restart.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(restart.err()).contains("make up");
  }

  @Test
  @DisplayName("the version is on standard output")
  void version() {
    assertThat(Typed.plainly("version").out()).startsWith("nodekeeper ").contains("Java 25");
    assertThat(Typed.plainly("--version").out()).startsWith("nodekeeper ");
  }
}
