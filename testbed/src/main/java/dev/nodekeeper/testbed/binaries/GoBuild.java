package dev.nodekeeper.testbed.binaries;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Builds the programs from their published Go modules in a throw-away module. */
final class GoBuild implements Source {

  private static final Pattern STAGING = Pattern.compile("^(?:replace )?(\\S+) => \\./staging/.*");

  private final Map<String, String> environment;
  private final CommandRunner runner;

  GoBuild(Map<String, String> environment, CommandRunner runner) {
    this.environment = environment;
    this.runner = runner;
  }

  @Override
  public String description() {
    return "build from the Go module proxy";
  }

  @Override
  public Set<Tool> offers() {
    return EnumSet.allOf(Tool.class);
  }

  @Override
  public void fetch(Set<Tool> wanted, Path scratch, Path target, Consumer<String> progress)
      throws IOException, InterruptedException {
    var go = goOnPath().orElseThrow(() -> new IOException("there is no go on the PATH"));
    for (var module : GoModule.values()) {
      var tools = wanted.stream().filter(tool -> tool.module() == module).toList();
      if (!tools.isEmpty()) {
        var folder = Files.createDirectory(scratch.resolve(module.name()));
        writeModule(go, module, folder, progress);
        for (var tool : tools) {
          build(go, tool, folder, target, progress);
        }
      }
    }
  }

  /**
   * {@code k8s.io/kubernetes} cannot be installed by its path: its go.mod points some thirty
   * modules at local staging folders. They are published too, so ours points each at its published
   * self.
   */
  private void writeModule(Path go, GoModule module, Path folder, Consumer<String> progress)
      throws IOException, InterruptedException {
    var coordinate = module.path() + "@v" + module.version();
    try (var _ = new Heartbeat("downloading " + coordinate, progress, Heartbeat.EVERY)) {
      var answer =
          runner
              .run(
                  List.of(go.toString(), "mod", "download", "-json", coordinate),
                  folder,
                  goEnvironment("-buildvcs=false"))
              .require("go mod download");
      var json = new ObjectMapper().readTree(answer.substring(Math.max(0, answer.indexOf('{'))));
      var published = Files.readAllLines(Path.of(json.path("GoMod").asText()));
      Files.write(folder.resolve("go.mod"), throwAwayModule(module, published));
    }
  }

  static List<String> throwAwayModule(GoModule module, List<String> published) {
    var head =
        Stream.concat(
            Stream.of("module nodekeeper.dev/throwaway"),
            published.stream().filter(line -> line.startsWith("go ")));
    var replaces =
        published.stream()
            .map(line -> STAGING.matcher(line.strip()))
            .filter(Matcher::matches)
            .map(found -> found.group(1))
            .map(path -> "replace " + path + " => " + path + " " + module.stagingVersion());
    var require = Stream.of("require " + module.path() + " v" + module.version());
    return Stream.of(head, require, replaces).flatMap(lines -> lines).toList();
  }

  private void build(Path go, Tool tool, Path folder, Path target, Consumer<String> progress)
      throws IOException, InterruptedException {
    var message =
        "building %s %s from source (%s, once)"
            .formatted(tool.fileName(), tool.version(), tool.buildTime());
    try (var _ = new Heartbeat(message, progress, Heartbeat.EVERY)) {
      var command =
          List.of(
              go.toString(),
              "build",
              "-trimpath",
              "-ldflags",
              tool.module().linkerFlags(),
              "-o",
              target.resolve(tool.fileName()).toString(),
              tool.goPackage());
      runner
          .run(command, folder, goEnvironment("-mod=mod -buildvcs=false"))
          .require("go build " + tool.goPackage());
    }
  }

  private Map<String, String> goEnvironment(String flags) {
    var result = new HashMap<>(environment);
    result.put("GOFLAGS", flags);
    result.put("GOWORK", "off");
    result.put("CGO_ENABLED", "0");
    return result;
  }

  private Optional<Path> goOnPath() {
    return Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, "go"))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
