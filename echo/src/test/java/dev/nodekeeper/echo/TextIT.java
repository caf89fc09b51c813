package dev.nodekeeper.echo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nodekeeper.testbed.Ports;
import dev.nodekeeper.testbed.binaries.Binaries;
import dev.nodekeeper.testbed.binaries.Tool;
import io.fabric8.kubernetes.api.model.Container;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The real http-echo, started as the kubelet would start it, answers the text")
final class TextIT {

  @ParameterizedTest
  @MethodSource("dev.nodekeeper.echo.Samples#texts")
  void answers(String text) throws Exception {
    var port = Ports.one();
    var container = Samples.container(Samples.echo("e", text, 1));
    var command = new ArrayList<String>();
    command.add(Binaries.fromEnvironment(System.err::println).path(Tool.HTTP_ECHO).toString());
    // Only so that tests can run beside each other; it comes first, so that ours could undo it.
    command.add("-listen=127.0.0.1:" + port);
    container.getArgs().stream().map(Kubelet::expand).forEach(command::add);
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (var http = HttpClient.newHttpClient()) {
      // The JVM passes arguments in the encoding of the platform: UTF-8 it must be.
      assertThat(System.getProperty("sun.jnu.encoding")).isEqualTo("UTF-8");
      var health = URI.create("http://127.0.0.1:" + port + probePath(container));
      World.until(() -> assertThat(get(http, health).length()).isPositive());
      var answer = get(http, URI.create("http://127.0.0.1:" + port + "/any/path"));
      assertThat(answer).isEqualTo(text + "\n");
    } finally {
      process.destroyForcibly();
      process.waitFor();
    }
  }

  private static String probePath(Container container) {
    assertThat(container.getPorts())
        .extracting(port -> port.getContainerPort())
        .isEqualTo(List.of(5678));
    return container.getReadinessProbe().getHttpGet().getPath();
  }

  private static String get(HttpClient http, URI address) throws IOException, InterruptedException {
    var reply = http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofByteArray());
    assertThat(reply.statusCode()).isEqualTo(200);
    return new String(reply.body(), StandardCharsets.UTF_8);
  }
}
