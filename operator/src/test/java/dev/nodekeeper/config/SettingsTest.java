package dev.nodekeeper.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.nodekeeper.core.keep.Limits;
import dev.nodekeeper.core.keep.Role;
import dev.nodekeeper.core.model.Kind;
import dev.nodekeeper.core.policy.Policy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SettingsTest {

  @Test
  @DisplayName("nothing given: the defaults, which are those of the core")
  void defaults() throws Exception {
    Settings settings = Settings.parse(Map.of(), Map.of());

    assertThat(settings.namespace()).isEqualTo("nodekeeper");
    assertThat(settings.policy()).isEqualTo(Policy.DEFAULT);
    assertThat(settings.limits()).isEqualTo(Limits.DEFAULT);
    assertThat(settings.httpPort()).isEqualTo(8080);
    assertThat(settings.console()).hasValue(new Listen("127.0.0.1", 8081));
    assertThat(settings.rate()).isEqualTo(2000);
    assertThat(settings.role()).isEqualTo(Role.ALL);
    assertThat(settings.shards()).isEqualTo(1);
    assertThat(settings.lease()).isEqualTo(Duration.ofSeconds(8));
  }

  @Test
  @DisplayName("records are kept for days, or for ever")
  void days() throws Exception {
    assertThat(forgetAfter("30d12h")).isEqualTo(Duration.ofHours(732));
    assertThat(forgetAfter("0")).isZero();
    assertThatThrownBy(() -> forgetAfter("3651d")).hasMessageContaining("--forget-after");
    assertThatThrownBy(() -> forgetAfter("-1d")).hasMessageContaining("--forget-after");
  }

  @Test
  @DisplayName("the console listens where it is told, or not at all")
  void console() throws Exception {
    assertThat(console("off")).isEmpty();
    assertThat(console("[::1]:0")).hasValue(new Listen("[::1]", 0));
    assertThat(console("console.example:80")).hasValue(new Listen("console.example", 80));
    for (String bad : List.of("8081", ":8081", "a b:1", "h:70000", "h:x", "h:-1")) {
      assertThatThrownBy(() -> console(bad)).hasMessageContaining("--console: '" + bad);
    }
  }

  private static Optional<Listen> console(String text) throws InvalidSettingsException {
    return Settings.parse(Map.of("--console", List.of(text)), Map.of()).console();
  }

  private static Duration forgetAfter(String text) throws InvalidSettingsException {
    return Settings.parse(Map.of("--forget-after", List.of(text)), Map.of()).limits().forgetAfter();
  }

  @Test
  @DisplayName("a flag wins over the environment, the environment over the default")
  void precedence() throws Exception {
    Map<String, String> env =
        Map.of("NODEKEEPER_NAMESPACE", "from-env", "NODEKEEPER_LOG_LEVEL", "debug");

    Settings settings = Settings.parse(Map.of("--namespace", List.of("from-flag")), env);

    assertThat(settings.namespace()).isEqualTo("from-flag");
    assertThat(settings.logLevel()).isEqualTo(LogLevel.DEBUG);
  }

  @Test
  @DisplayName("lists: a repeated flag and a comma separated variable mean the same")
  void lists() throws Exception {
    Settings flags =
        Settings.parse(
            Map.of(
                "--label-prefix", List.of("a.example/", "b"), "--keep", List.of("cordon,labels")),
            Map.of());
    Settings env =
        Settings.parse(
            Map.of(),
            Map.of("NODEKEEPER_LABEL_PREFIX", "a.example/, b", "NODEKEEPER_KEEP", "labels,cordon"));

    assertThat(flags).isEqualTo(env);
    assertThat(flags.policy().labelPrefixes()).containsExactly("a.example/", "b");
    assertThat(flags.policy().keep()).containsExactlyInAnyOrder(Kind.LABEL, Kind.CORDON);
  }

  @Test
  @DisplayName("a text that is far too long is a violation like any other")
  void tooLong() {
    Map<String, List<String>> flags = Map.of("--resync", List.of("1s".repeat(100_000)));
    assertThat(
            catchThrowableOfType(
                    InvalidSettingsException.class, () -> Settings.parse(flags, Map.of()))
                .violations())
        .singleElement()
        .asString()
        .startsWith("--resync: ");
  }

  @Test
  @DisplayName("durations as Go writes them")
  void durations() {
    assertThat(Parsers.duration("500ms")).isEqualTo(Duration.ofMillis(500));
    assertThat(Parsers.duration("1h30m")).isEqualTo(Duration.ofMinutes(90));
    assertThat(Parsers.duration("0s")).isEqualTo(Duration.ZERO);
  }

  @Test
  @DisplayName("all violations are told at once, each with where, what and what is allowed")
  void violations() {
    Map<String, List<String>> flags =
        Map.of(
            "--keep", List.of("labels,tants"),
            "--http-port", List.of("70000"),
            "--namespace", List.of("a", "b"),
            "--resync", List.of("5 minutes"),
            "--nonsense", List.of("1"));
    Map<String, String> env = Map.of("NODEKEEPER_IDENTITY", "NAME", "NODEKEEPER_WRITERS", "0");

    InvalidSettingsException e =
        catchThrowableOfType(InvalidSettingsException.class, () -> Settings.parse(flags, env));

    assertThat(e.violations()).hasSize(7);
    assertThat(e.getMessage())
        .contains("--keep: 'labels,tants' is not allowed; it must be a comma separated list of")
        .contains("--http-port: '70000' is not allowed; it must be a whole number from 0 to 65535")
        .contains("--namespace is given 2 times")
        .contains("--resync: '5 minutes'")
        .contains("--nonsense is no setting")
        .contains(
            "NODEKEEPER_IDENTITY: 'NAME' is not allowed; it must be name, provider or machine")
        .contains("NODEKEEPER_WRITERS: '0'");
  }

  @Test
  @DisplayName("settle-max below settle would never settle in time: refused")
  void settle() {
    InvalidSettingsException e =
        catchThrowableOfType(
            InvalidSettingsException.class,
            () -> Settings.parse(Map.of("--settle", List.of("2s")), Map.of()));

    assertThat(e.violations())
        .containsExactly("--settle-max (500ms) must not be shorter than --settle (2000ms)");
  }

  @Test
  @DisplayName("variables that Kubernetes sets for a Service called nodekeeper are no settings")
  void serviceVariables() throws Exception {
    Settings.parse(Map.of(), Map.of("NODEKEEPER_PORT", "tcp://10.0.0.1:80"));
    assertThat(Options.ALL).extracting(Option::env).doesNotContain("NODEKEEPER_PORT");
  }

  @Test
  @DisplayName("every setting is declared once, and its default is allowed")
  void declared() {
    assertThat(Options.ALL).extracting(Option::flag).doesNotHaveDuplicates().hasSize(24);
    assertThat(Options.ALL).allSatisfy(o -> assertThat(o.parse().apply(o.standard())).isNotNull());
    assertThat(Options.ALL).allSatisfy(o -> assertThat(o.description()).isNotBlank());
  }
}
