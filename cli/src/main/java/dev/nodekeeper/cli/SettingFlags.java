package dev.nodekeeper.cli;

import dev.nodekeeper.config.InvalidSettingsException;
import dev.nodekeeper.config.Option;
import dev.nodekeeper.config.Options;
import dev.nodekeeper.config.Settings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The operator's declared settings as flags of a command, so that each is declared once.
 *
 * @param options those that the command has; the environment of others does not concern it
 */
record SettingFlags(List<Option<?>> options) {
  static final SettingFlags ALL = new SettingFlags(Options.ALL);

  /** Which cluster, and where in it. */
  static final SettingFlags CLUSTER =
      new SettingFlags(List.of(Options.KUBECONFIG, Options.CONTEXT, Options.NAMESPACE));

  /** Which cluster, and what the controller there was told to keep. */
  static final SettingFlags LOOKING =
      new SettingFlags(
          List.of(
              Options.KUBECONFIG,
              Options.CONTEXT,
              Options.NAMESPACE,
              Options.KEEP,
              Options.LABEL_PREFIX,
              Options.ON_CONFLICT,
              Options.IDENTITY));

  CommandLine on(Object command) {
    CommandLine line = new CommandLine(command);
    for (Option<?> option : options) {
      line.getCommandSpec().addOption(spec(option));
    }
    return line;
  }

  /** Always a list of text: the declared setting itself says what it allows, and how often. */
  private static OptionSpec spec(Option<?> option) {
    return OptionSpec.builder(option.flag())
        .arity("1")
        .type(List.class)
        .auxiliaryTypes(String.class)
        .paramLabel(option.label())
        .description(
            option.description() + ".",
            "Default: %s; environment: %s"
                .formatted(option.standard().isEmpty() ? "none" : option.standard(), option.env()))
        .build();
  }

  /** All that is wrong is told at once. */
  Settings settings(CommandSpec spec, Map<String, String> env) {
    try {
      return Settings.parse(given(spec.commandLine().getParseResult()), concerning(env));
    } catch (InvalidSettingsException e) {
      throw new ProblemException(ExitCode.BAD_USAGE, String.valueOf(e.getMessage()));
    }
  }

  private static Map<String, List<String>> given(ParseResult parsed) {
    Map<String, List<String>> flags = new TreeMap<>();
    for (OptionSpec option : parsed.matchedOptions()) {
      if (Options.ALL.stream().anyMatch(known -> known.flag().equals(option.longestName()))) {
        flags.put(option.longestName(), option.stringValues());
      }
    }
    return flags;
  }

  private Map<String, String> concerning(Map<String, String> env) {
    Map<String, String> ours = new HashMap<>(env);
    ours.keySet().retainAll(options.stream().map(Option::env).toList());
    return ours;
  }
}
