package dev.nodekeeper.it;

import dev.nodekeeper.Nodekeeper;
import dev.nodekeeper.config.Settings;
import dev.nodekeeper.core.keep.Role;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code nodekeeper run} as a process of its own, for tests that kill, starve or measure it. */
public final class RunProcess {
  private RunProcess() {}

  public static Process start(World world, String... flags) {
    return start(world, Role.ALL, flags);
  }

  /** One for each role of the world. */
  static List<Process> startAll(World world, String... flags) {
    return world.roles().stream().map(role -> start(world, role, flags)).toList();
  }

  private static Process start(World world, Role role, String... flags) {
    return start(world, new ProcessBuilder(command(world, role, List.of("-Xmx256m"), flags)));
  }

  /** What to run, for those who put something before it. */
  public static List<String> command(World world, List<String> jvm, String... flags) {
    return command(world, Role.ALL, jvm, flags);
  }

  private static List<String> command(World world, Role role, List<String> jvm, String... flags) {
    List<String> command = java(jvm);
    command.addAll(world.arguments(role, flags));
    return command;
  }

  private static List<String> java(List<String> jvm) {
    List<String> command =
        new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow()));
    // As the launcher does it, but compiled quickly: two cores are for all of us, and few live
    // long.
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:+UseCompactObjectHeaders",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:TieredStopAtLevel=1"));
    command.addAll(jvm);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), RunProcess.class.getName()));
    return command;
  }

  /** By these variables alone, as in a pod. */
  public static Process start(World world, Map<String, String> settings) {
    ProcessBuilder builder = new ProcessBuilder(java(List.of("-Xmx256m")));
    builder.environment().putAll(settings);
    return start(world, builder);
  }

  /** Ends with the world. */
  public static Process start(World world, ProcessBuilder builder) {
    try {
      Process process =
          builder
              .redirectErrorStream(true)
              .redirectOutput(
                  ProcessBuilder.Redirect.appendTo(
                      new File("target", "run-" + world.namespace + ".log")))
              .start();
      world.closeLater(() -> process.destroyForcibly().waitFor());
      return process;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Such as STOP and CONT. */
  public static void signal(Process process, String name) {
    try {
      int code =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
      if (code != 0) {
        throw new IllegalStateException("kill -" + name + " failed");
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  static void main(String[] args) throws Exception {
    Map<String, List<String>> flags = new HashMap<>();
    for (String arg : args) {
      int is = arg.indexOf('=');
      flags
          .computeIfAbsent(arg.substring(0, is), _ -> new ArrayList<>())
          .add(arg.substring(is + 1));
    }
    // With flags come all the settings that a test wants, whatever is set around it.
    Map<String, String> env = flags.isEmpty() ? System.getenv() : Map.of();
    System.exit(Nodekeeper.run(Settings.parse(flags, env)));
  }
}
