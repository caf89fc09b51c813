package dev.nodekeeper.cli;

import dev.nodekeeper.config.Settings;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that asks a cluster something, and tells on a screen what came of it. */
abstract class ClusterCommand implements Callable<Integer> {
  final Screen screen;
  private final Map<String, String> env;

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls us
  ClusterCommand(Screen screen, Map<String, String> env) {
    this.screen = screen;
    this.env = env;
  }

  /** As flags and environment say. */
  Settings settings(SettingFlags flags) {
    return flags.settings(spec, env);
  }

  /** What people have typed to get here. */
  String program() {
    return spec.root().name();
  }
}
