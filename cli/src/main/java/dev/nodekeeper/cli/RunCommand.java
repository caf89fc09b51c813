package dev.nodekeeper.cli;

import dev.nodekeeper.Nodekeeper;
import dev.nodekeeper.config.Settings;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The controller; its flags are the operator's declared settings. */
@Command(
    name = "run",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = "Run the controller until it is told to stop (Ctrl-C, SIGTERM).",
    optionListHeading = "%nSettings (a flag wins over its environment variable):%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  ${COMMAND-FULL-NAME}",
      "  ${COMMAND-FULL-NAME} --context prod --keep labels,taints,annotations",
      "  ${COMMAND-FULL-NAME} --label-prefix team.example/ --label-prefix rack"
    })
final class RunCommand implements Callable<Integer> {
  private final Map<String, String> env;

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls us
  RunCommand(Map<String, String> env) {
    this.env = env;
  }

  @Override
  public Integer call() throws Exception {
    Settings settings = SettingFlags.ALL.settings(spec, env);
    return Nodekeeper.run(settings);
  }
}
