package dev.nodekeeper.cli.up;

import dev.nodekeeper.cli.ProblemException;
import dev.nodekeeper.testbed.Ports;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** With {@code FULL=1}: a Prometheus that scrapes the controller and knows our alerts. */
final class Prometheus {
  static final String NAME = "prometheus";
  private static final String PROGRAM = "prometheus";
  private static final String RULES = "nodekeeper.rules.yaml";

  private final UpFolder folder;

  Prometheus(UpFolder folder) {
    this.folder = folder;
  }

  /** Before anything is started: a person should not wait for half of what was asked for. */
  static void demand() {
    boolean found =
        Arrays.stream(
                Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator, -1))
            .anyMatch(place -> Files.isExecutable(Path.of(place, PROGRAM)));
    if (!found) {
      throw ProblemException.failed(
          "FULL=1 needs prometheus on the PATH; on Debian run: make deps, or apt-get install prometheus");
    }
  }

  private Path home() {
    return folder.root().resolve(NAME);
  }

  private Path addressFile() {
    return home().resolve("address");
  }

  /** Where people find it; empty when there is none. */
  Optional<String> address() {
    try {
      return Files.exists(addressFile())
          ? Optional.of(Files.readString(addressFile()))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + addressFile(), e);
    }
  }

  /** At its old address, where it had one. */
  Detached.Id start(int metricsPort) {
    try {
      Files.createDirectories(home());
      if (!Files.exists(addressFile())) {
        Files.writeString(addressFile(), "127.0.0.1:" + Ports.one());
      }
      try (InputStream rules = Prometheus.class.getResourceAsStream(RULES)) {
        Files.copy(
            Objects.requireNonNull(rules),
            home().resolve(RULES),
            StandardCopyOption.REPLACE_EXISTING);
      }
      Path config = home().resolve("prometheus.yaml");
      Files.writeString(
          config,
          """
          global: {scrape_interval: 2s, evaluation_interval: 2s}
          rule_files: [%s]
          scrape_configs:
          - job_name: nodekeeper
            static_configs: [{targets: ['127.0.0.1:%d']}]
          """
              .formatted(RULES, metricsPort));
      List<String> command =
          List.of(
              PROGRAM,
              "--config.file=" + config,
              "--storage.tsdb.path=" + home().resolve("data"),
              "--web.listen-address=" + address().orElseThrow());
      return Detached.start(command, config.toString(), folder.log(NAME));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot set up " + home(), e);
    }
  }
}
