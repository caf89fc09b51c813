package dev.nodekeeper.testbed.binaries;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Finds the programs of a control plane, and fetches or builds the ones that are missing. */
public final class Binaries {

  static final String ASSETS = "KUBEBUILDER_ASSETS";

  private final Optional<Path> assets;
  private final Cache cache;
  private final List<Source> sources;
  private final Consumer<String> progress;

  Binaries(
      Map<String, String> environment,
      Path home,
      Platform platform,
      List<Source> sources,
      Consumer<String> progress) {
    this.assets =
        Optional.ofNullable(environment.get(ASSETS)).filter(s -> !s.isBlank()).map(Path::of);
    this.cache = new Cache(cacheFolder(environment, home, platform));
    this.sources = sources;
    this.progress = progress;
  }

  /** Looks where this process's environment says; slow steps report to {@code progress}. */
  public static Binaries fromEnvironment(Consumer<String> progress) {
    var environment = System.getenv();
    var platform = Platform.current();
    var runner = CommandRunner.system();
    var sources =
        List.<Source>of(
            new EnvtestArchive(EnvtestArchive.RELEASES, platform, environment, runner),
            new GoBuild(environment, runner));
    // NB: the JVM's user.home ignores HOME, which is what a person means by it.
    var home = Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")));
    return new Binaries(environment, home, platform, sources, progress);
  }

  /** The program's path; fetches it when needed. */
  public Path path(Tool tool) {
    return resolve(EnumSet.of(tool)).values().iterator().next();
  }

  /** Runs a program to its end, here and with our environment. */
  public Outcome run(Tool tool, List<?> arguments) {
    var command =
        Stream.concat(Stream.of(path(tool)), arguments.stream()).map(Object::toString).toList();
    try {
      return CommandRunner.system().run(command, Path.of("").toAbsolutePath(), System.getenv());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** All paths at once: one download or build session for everything that is missing. */
  public Map<Tool, Path> resolve(Collection<Tool> tools) {
    var found = present(tools);
    if (!found.keySet().containsAll(tools)) {
      fetchMissing(tools);
      found = present(tools);
    }
    return found;
  }

  private Map<Tool, Path> present(Collection<Tool> tools) {
    var found = new EnumMap<Tool, Path>(Tool.class);
    for (var tool : tools) {
      inAssets(tool).or(() -> cache.find(tool)).ifPresent(path -> found.put(tool, path));
    }
    return found;
  }

  private Optional<Path> inAssets(Tool tool) {
    return assets.map(folder -> folder.resolve(tool.fileName())).filter(Files::isExecutable);
  }

  private void fetchMissing(Collection<Tool> tools) {
    var tried = new ArrayList<String>();
    tried.add(assets.map(folder -> ASSETS + ": not in " + folder).orElse(ASSETS + ": not set"));
    tried.add("cache: not in " + cache.folder());
    try {
      cache.fill(progress, scratch -> askSources(tools, scratch, tried));
    } catch (IOException e) {
      tried.add("filling the cache: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      tried.add("interrupted");
    }
    var missing = missing(tools);
    if (!missing.isEmpty()) {
      throw new MissingBinariesException(missing, tried);
    }
  }

  private void askSources(Collection<Tool> tools, Path scratch, List<String> tried)
      throws IOException, InterruptedException {
    for (var source : sources) {
      var wanted = missing(tools);
      wanted.retainAll(source.offers());
      if (!wanted.isEmpty()) {
        ask(source, wanted, Files.createTempDirectory(scratch, "source-"), tried);
      }
    }
  }

  private void ask(Source source, Set<Tool> wanted, Path scratch, List<String> tried)
      throws IOException, InterruptedException {
    var target = Files.createDirectory(scratch.resolve("target"));
    try {
      source.fetch(wanted, scratch, target, progress);
    } catch (IOException e) {
      tried.add(source.description() + ": " + e.getMessage());
    } finally {
      // Also after a failure: what was finished before it need not be built again.
      cache.adopt(target);
    }
  }

  /** Asked again under the lock: another run may have filled the cache while we waited. */
  private Set<Tool> missing(Collection<Tool> tools) {
    var missing = EnumSet.noneOf(Tool.class);
    missing.addAll(tools);
    missing.removeAll(present(tools).keySet());
    return missing;
  }

  private static Path cacheFolder(Map<String, String> environment, Path home, Platform platform) {
    var base =
        Optional.ofNullable(environment.get("XDG_CACHE_HOME"))
            .filter(s -> !s.isBlank())
            .map(Path::of)
            .orElse(home.resolve(".cache"));
    return base.resolve(
        "nodekeeper/control-plane/" + GoModule.KUBERNETES.version() + "-" + platform);
  }
}
