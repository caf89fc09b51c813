package dev.nodekeeper.cli.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("up with FULL=1")
class PrometheusUpIT {
  private static final Pattern ADDRESS =
      Pattern.compile("open (http://127\\.0\\.0\\.1:\\d+)/alerts");

  @TempDir private Path dir;

  @AfterEach
  void endWhatATestLeft() throws Exception {
    nodekeeper("down", "1");
  }

  private Ran nodekeeper(String command, String full) throws Exception {
    return Ran.of(
        dir,
        Map.of(
            "NODEKEEPER_UP_DIR",
            dir.resolve("up").toString(),
            "NODEKEEPER_BUILD",
            "never",
            "JAVA_HOME",
            System.getProperty("java.home"),
            "FULL",
            full),
        List.of(Ran.repository().resolve("nodekeeper").toString(), command));
  }

  @Test
  @DisplayName("starts a Prometheus that scrapes the controller and has our alerts; down ends it")
  void prometheus() throws Exception {
    Ran up = nodekeeper("up", "1");
    assertThat(up.exitCode()).as(up.err()).isZero();
    Matcher found = ADDRESS.matcher(up.out());
    assertThat(found.find()).as(up.out()).isTrue();
    String api = found.group(1) + "/api/v1/";

    await("it has scraped the three nodes")
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () ->
                get(api + "query?query=sum(nodekeeper_owned_nodes)")
                    .at("/data/result/0/value/1")
                    .asText()
                    .equals("3"));
    assertThat(get(api + "rules").findValuesAsText("name")).contains("NodekeeperNotRestored");

    assertThat(nodekeeper("down", "1").exitCode()).isZero();
    assertThat(
            ProcessHandle.allProcesses()
                .filter(ProcessHandle::isAlive)
                .map(handle -> handle.info().commandLine().orElse(""))
                .filter(line -> line.contains(dir.toString())))
        .isEmpty();
  }

  private static JsonNode get(String uri) throws IOException {
    try (var page = URI.create(uri).toURL().openStream()) {
      return new JsonMapper().readTree(page);
    }
  }
}
