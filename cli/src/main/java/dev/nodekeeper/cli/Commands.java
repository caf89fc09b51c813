package dev.nodekeeper.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;

/** The tree of commands: the one place where they are made. */
final class Commands {
  private static final int HELP_WIDTH = 100;

  private Commands() {}

  static CommandLine line(Screen screen, Map<String, String> env) {
    CommandLine line = new CommandLine(new RootCommand(screen));
    line.addSubcommand(SettingFlags.ALL.on(new RunCommand(env)));
    line.addSubcommand(SettingFlags.LOOKING.on(new ListCommand(screen, env)));
    line.addSubcommand(SettingFlags.LOOKING.on(new ShowCommand(screen, env)));
    line.addSubcommand(SettingFlags.LOOKING.on(new DiffCommand(screen, env)));
    line.addSubcommand(SettingFlags.LOOKING.on(new TopCommand(screen, env)));
    line.addSubcommand(SettingFlags.LOOKING.on(new PlanCommand(screen, env)));
    line.addSubcommand(SettingFlags.LOOKING.on(new DoctorCommand(screen, env)));
    line.addSubcommand(SettingFlags.CLUSTER.on(new ForgetCommand(screen, env)));
    line.addSubcommand(SettingFlags.CLUSTER.on(new MoveCommand(screen, env)));
    line.addSubcommand(SettingFlags.CLUSTER.on(new ExportCommand(screen, env)));
    line.addSubcommand(SettingFlags.LOOKING.on(new ImportCommand(screen, env)));
    line.addSubcommand(SettingFlags.CLUSTER.on(new UninstallCommand(screen, env)));
    line.addSubcommand(new UpCommand(screen, env));
    line.addSubcommand(new DownCommand(screen, env));
    line.addSubcommand(new RestartCommand(screen, env));
    line.addSubcommand(new MachinesCommand());
    line.addSubcommand(new CompletionCommand(screen));
    line.addSubcommand(new VersionCommand(screen));
    line.addSubcommand(new HelpCommand(screen));

    Complaints complaints = new Complaints(screen, env);
    line.setCommandName(System.getProperty("nodekeeper.name", "nodekeeper"));
    line.setOut(new PrintWriter(screen.out(), true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(screen.err(), true, StandardCharsets.UTF_8));
    line.setColorScheme(Help.defaultColorScheme(screen.ansi()));
    line.setUsageHelpWidth(HELP_WIDTH);
    line.setParameterExceptionHandler(complaints);
    line.setExecutionExceptionHandler(complaints);
    line.setAbbreviatedOptionsAllowed(false);
    return line;
  }
}
