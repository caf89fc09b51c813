package dev.nodekeeper.it.see;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A real one, which scrapes every second and knows our rules. */
final class Prometheus implements AutoCloseable {
  private final Process process;
  private final int port;

  private Prometheus(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** With our alerts, but without the time for which they must hold. */
  static Prometheus start(List<Integer> targets) {
    try {
      Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "prom-");
      String rules =
          Files.readString(AlertsIT.RULES).replaceAll("(?m)^    for: .*$", "    for: 0s");
      Files.writeString(folder.resolve("rules.yaml"), rules);
      String ports =
          targets.stream().map(each -> "'127.0.0.1:" + each + "'").collect(Collectors.joining(","));
      Files.writeString(
          folder.resolve("prometheus.yaml"),
          """
          global: {scrape_interval: 1s, evaluation_interval: 1s}
          rule_files: [rules.yaml]
          scrape_configs:
          - job_name: nodekeeper
            static_configs: [{targets: [%s]}]
          """
              .formatted(ports));
      int port = Ports.one();
      Process process =
          new ProcessBuilder(
                  "prometheus",
                  "--config.file=" + folder.resolve("prometheus.yaml"),
                  "--storage.tsdb.path=" + folder.resolve("data"),
                  "--web.listen-address=127.0.0.1:" + port)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("log").toFile())
              .start();
      Prometheus prometheus = new Prometheus(process, port);
      await("Prometheus has scraped")
          .atMost(World.HANG)
          .until(() -> prometheus.query("up == 1").size() == targets.size());
      return prometheus;
    } catch (IOException e) {
      throw new UncheckedIOException("is prometheus installed? `make deps`", e);
    }
  }

  /** The samples that it answers with. */
  JsonNode query(String expression) {
    return get("query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8))
        .path("result");
  }

  /** With at least one number in it. */
  boolean hasData(String expression) {
    for (JsonNode sample : query(expression)) {
      if (!sample.path("value").path(1).asText().equals("NaN")) {
        return true;
      }
    }
    return false;
  }

  Set<String> firing() {
    Set<String> names = new TreeSet<>();
    for (JsonNode alert : get("alerts").path("alerts")) {
      if (alert.path("state").asText().equals("firing")) {
        names.add(alert.at("/labels/alertname").asText());
      }
    }
    return names;
  }

  private JsonNode get(String path) {
    URI uri = URI.create("http://127.0.0.1:" + port + "/api/v1/" + path);
    try (var page = uri.toURL().openStream()) {
      return World.JSON.readTree(page).path("data");
    } catch (ConnectException e) {
      if (!process.isAlive()) {
        throw new IllegalStateException("Prometheus has ended", e);
      }
      return World.JSON.createObjectNode();
    } catch (IOException e) {
      // It listens before it is ready.
      return World.JSON.createObjectNode();
    }
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }
}
