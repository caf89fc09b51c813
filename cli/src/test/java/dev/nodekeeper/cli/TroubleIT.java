package dev.nodekeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Whatever is wrong is told in one line, with the right exit code")
@SuppressWarnings("NullAway.Init") // JUnit makes the folder
final class TroubleIT {
  private static final Bed BED = new Bed();

  @TempDir private static Path dir;

  @AfterAll
  static void end() throws Exception {
    BED.close();
  }

  private static final List<List<String>> EVERY_COMMAND =
      List.of(
          List.of("list"),
          List.of("list", "--watch"),
          List.of("show", "n1"),
          List.of("diff", "n1"),
          List.of("plan"),
          List.of("top", "--seconds", "0"),
          List.of("doctor"),
          List.of("forget", "n1"),
          List.of("move", "n1", "n2"),
          List.of("export"),
          List.of("uninstall"));

  static Stream<List<String>> everyCommand() {
    return EVERY_COMMAND.stream();
  }

  @ParameterizedTest
  @MethodSource("everyCommand")
  @DisplayName("a server that is not there")
  void unreachable(List<String> command) throws Exception {
    Path nobody =
        Files.writeString(
            dir.resolve("nobody"),
            """
            apiVersion: v1
            kind: Config
            current-context: a
            clusters: [{name: a, cluster: {server: "http://127.0.0.1:1"}}]
            contexts: [{name: a, context: {cluster: a, user: a}}]
            users: [{name: a, user: {}}]
            """);
    Typed typed = BED.typeAs(nobody, command.toArray(String[]::new));
    assertThat(typed.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(typed.err().lines()).singleElement().asString().contains("http://127.0.0.1:1");
  }

  @ParameterizedTest
  @MethodSource("everyCommand")
  @DisplayName("no rights")
  void forbidden(List<String> command) {
    Typed typed =
        BED.typeAs(BED.plane.kubeconfig("nobody-special"), command.toArray(String[]::new));
    if (command.equals(List.of("doctor"))) {
      // Finding that out is its task.
      assertThat(typed.exitCode()).isEqualTo(ExitCode.ATTENTION);
      assertThat(typed.out()).contains("you may not get, list, watch, patch nodes");
      return;
    }
    assertThat(typed.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(typed.err().lines()).singleElement().asString().contains("403 Forbidden");
  }

  static Stream<Arguments> unknown() {
    return Stream.of(
        Arguments.of(List.of("show", "nobody"), ExitCode.NOT_FOUND),
        Arguments.of(List.of("diff", "nobody"), ExitCode.NOT_FOUND),
        Arguments.of(List.of("forget", "nobody"), ExitCode.NOT_FOUND),
        Arguments.of(List.of("move", "nobody", "other"), ExitCode.NOT_FOUND),
        Arguments.of(List.of("export", "nobody"), ExitCode.NOT_FOUND),
        Arguments.of(List.of("show", "No_Name"), ExitCode.BAD_USAGE),
        Arguments.of(List.of("diff", "../x"), ExitCode.BAD_USAGE),
        Arguments.of(List.of("forget", "a b"), ExitCode.BAD_USAGE),
        Arguments.of(List.of("export", "-l", "=x"), ExitCode.BAD_USAGE));
  }

  @ParameterizedTest
  @MethodSource("unknown")
  @DisplayName("a node that is not there, or cannot be")
  void unknown(List<String> command, int exitCode) {
    Typed typed = BED.type(command.toArray(String[]::new));
    assertThat(typed.exitCode()).isEqualTo(exitCode);
    assertThat(typed.out()).isEmpty();
    assertThat(typed.err().lines()).hasSize(1);
  }

  static Stream<Arguments> files() {
    return Stream.of(
        Arguments.of("a: [", ExitCode.FAILED, "cannot read"),
        Arguments.of("", ExitCode.FAILED, "no object"),
        Arguments.of(
            "{\"kind\":\"Secret\",\"metadata\":{\"name\":\"s\"}}",
            ExitCode.ATTENTION,
            "Secret s: not recognised"),
        Arguments.of(
            "{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"n\"},\"data\":{\"record.json\":\"{\"}}",
            ExitCode.ATTENTION,
            "ConfigMap n: bad JSON"),
        Arguments.of(
            "{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"n\"},\"data\":{\"record.json\":\"{\\\"node\\\":\\\"m\\\"}\"}}",
            ExitCode.ATTENTION,
            "it is the record of node m"),
        Arguments.of(
            "{\"kind\":\"NodeLabelState\",\"metadata\":{\"name\":\"x\"},\"spec\":{\"nodeName\":\"A B\"}}",
            ExitCode.ATTENTION,
            "'A B' cannot be a node"));
  }

  @ParameterizedTest
  @MethodSource("files")
  @DisplayName("a file that is no record")
  void badFile(String text, int exitCode, String told) throws Exception {
    Path file = Files.writeString(dir.resolve("file.yaml"), text);
    Typed typed = BED.type("import", file.toString());
    assertThat(typed.exitCode()).isEqualTo(exitCode);
    assertThat(typed.err().lines()).singleElement().asString().contains(told);
  }

  @Test
  @DisplayName("a file that is not there")
  void noFile() {
    Typed typed = BED.type("import", dir.resolve("nope").toString());
    assertThat(typed.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(typed.err().lines()).singleElement().asString().contains("nope");
  }
}
