package dev.nodekeeper.cli.it;

import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.binaries.Binaries;
import dev.nodekeeper.testbed.binaries.Tool;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An overlay of {@code deploy/kustomize}, applied for real. */
public record Installed(ControlPlane plane, String overlay) {
  static final Path OVERLAYS = Path.of("..", "deploy", "kustomize", "overlays");
  public static final String NAMESPACE = "/api/v1/namespaces/nodekeeper";
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  public static Installed on(ControlPlane plane, String overlay) throws Exception {
    var installed = new Installed(plane, overlay);
    String namespace = OVERLAYS.resolveSibling("namespace.yaml").toString();
    installed.kubectl("apply", "--server-side", "-f", namespace);
    installed.kubectl("apply", "--server-side", "-k", OVERLAYS.resolve(overlay).toString());
    return installed;
  }

  public void uninstall() throws Exception {
    kubectl("delete", "--wait=false", "-k", OVERLAYS.resolve(overlay).toString());
  }

  public String kubectl(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Binaries.fromEnvironment(System.err::println).path(Tool.KUBECTL).toString());
    command.add("--kubeconfig=" + plane.adminKubeconfig());
    command.addAll(List.of(arguments));
    return run(command);
  }

  /** To its end, which must be a good one. */
  static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(String.join(" ", command) + ": " + output);
    }
    return output;
  }

  static boolean ready(int port) throws InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/readyz"))
            .timeout(Duration.ofSeconds(5))
            .build();
    try {
      return HTTP.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }
}
