package dev.nodekeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nodekeeper.config.Option;
import dev.nodekeeper.config.Options;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.core.model.Kind;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class SettingFlagsTest {

  /** A command with nothing of its own. */
  @Command(name = "bare")
  static final class Bare implements Callable<Integer> {
    @Override
    public Integer call() {
      return 0;
    }
  }

  private static Settings parse(SettingFlags flags, Map<String, String> env, String... arguments) {
    CommandLine line = flags.on(new Bare());
    line.parseArgs(arguments);
    return flags.settings(line.getCommandSpec(), env);
  }

  @Test
  @DisplayName("every declared setting is a flag of run, with its default and variable in the help")
  void all() {
    String help = Typed.plainly("run", "--help").out();
    for (Option<?> option : Options.ALL) {
      assertThat(help).contains(option.flag() + "=", option.env());
    }
  }

  @Test
  @DisplayName("a flag wins over the environment, and may be repeated where that is declared")
  void values() {
    Settings settings =
        parse(
            SettingFlags.ALL,
            Map.of("NODEKEEPER_NAMESPACE", "env", "NODEKEEPER_KEEP", "annotations"),
            "--namespace=flag",
            "--label-prefix",
            "a/",
            "--label-prefix",
            "b/");
    assertThat(settings.namespace()).isEqualTo("flag");
    assertThat(settings.policy().keep()).containsExactly(Kind.ANNOTATION);
    assertThat(settings.policy().labelPrefixes()).containsExactly("a/", "b/");
  }

  @Test
  @DisplayName("all that is wrong is told at once, as bad usage, without starting anything")
  void violations() {
    var typed =
        Typed.in(
            Map.of("NODEKEEPER_RATE", "many"),
            "run",
            "--http-port=x",
            "--keep=pods",
            "--namespace=a",
            "--namespace=b");
    assertThat(typed.exitCode()).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(typed.err())
        .contains("--http-port: 'x'", "--keep: 'pods'", "--namespace", "NODEKEEPER_RATE: 'many'");
  }

  @Test
  @DisplayName("a variable of a setting that a command does not have is no concern of it")
  void others() {
    Map<String, String> env = Map.of("NODEKEEPER_RATE", "many", "NODEKEEPER_NAMESPACE", "there");
    assertThat(parse(SettingFlags.LOOKING, env).namespace()).isEqualTo("there");
    assertThatThrownBy(() -> parse(SettingFlags.ALL, env)).hasMessageContaining("NODEKEEPER_RATE");
  }
}
