package dev.nodekeeper.testbed.binaries;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** The archive that controller-tools publishes for tests: etcd, kube-apiserver and kubectl. */
final class EnvtestArchive implements Source {

  static final URI RELEASES =
      URI.create("https://github.com/kubernetes-sigs/controller-tools/releases/download/");

  /** Behind a closed firewall a person must not wait for an answer that never comes. */
  private static final Duration PROBE = Duration.ofSeconds(3);

  private final URI archive;
  private final Map<String, String> environment;
  private final CommandRunner runner;

  EnvtestArchive(
      URI releases, Platform platform, Map<String, String> environment, CommandRunner runner) {
    var release = "envtest-v" + GoModule.KUBERNETES.version();
    this.archive = releases.resolve(release + "/" + release + "-" + platform + ".tar.gz");
    this.environment = environment;
    this.runner = runner;
  }

  @Override
  public String description() {
    return "envtest archive " + archive;
  }

  @Override
  public Set<Tool> offers() {
    return EnumSet.of(Tool.ETCD, Tool.KUBE_APISERVER, Tool.KUBECTL);
  }

  @Override
  public void fetch(Set<Tool> wanted, Path scratch, Path target, Consumer<String> progress)
      throws IOException, InterruptedException {
    var file = scratch.resolve("envtest.tar.gz");
    try (var client =
        HttpClient.newBuilder()
            .connectTimeout(PROBE)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build()) {
      try {
        var digest = download(client, file, progress);
        verify(digest, publishedDigest(client));
      } finally {
        client.shutdownNow();
      }
    }
    var unpacked = Files.createDirectory(scratch.resolve("unpacked"));
    runner
        .run(List.of("tar", "-xzf", file.toString(), "--strip-components=2"), unpacked, environment)
        .require("tar");
    for (var tool : wanted) {
      Files.move(unpacked.resolve(tool.fileName()), target.resolve(tool.fileName()));
    }
  }

  private String download(HttpClient client, Path file, Consumer<String> progress)
      throws IOException, InterruptedException {
    var response = get(client, archive);
    if (response.statusCode() != 200) {
      response.body().close();
      throw new IOException("HTTP " + response.statusCode());
    }
    var digest = sha512();
    var size = response.headers().firstValueAsLong("content-length").orElse(0) >> 20;
    try (var _ =
            new Heartbeat(
                "downloading the envtest archive (" + size + " MB)", progress, Heartbeat.EVERY);
        var body = new DigestInputStream(response.body(), digest)) {
      Files.copy(body, file);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Empty when no checksum is published beside the archive. */
  private String publishedDigest(HttpClient client) throws IOException, InterruptedException {
    var response = get(client, URI.create(archive + ".sha512"));
    try (var body = response.body()) {
      return response.statusCode() == 200
          ? new String(body.readAllBytes(), StandardCharsets.UTF_8).strip().split("\\s+", 2)[0]
          : "";
    }
  }

  private static void verify(String actual, String published) throws IOException {
    if (!published.isEmpty() && !published.equalsIgnoreCase(actual)) {
      throw new IOException("checksum differs: published sha512 " + published + ", got " + actual);
    }
  }

  /**
   * {@code HttpRequest.timeout} counts anew at every redirect, so the limit is put on the whole.
   */
  private static HttpResponse<InputStream> get(HttpClient client, URI uri)
      throws IOException, InterruptedException {
    var answer =
        client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofInputStream());
    try {
      return answer.get(PROBE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException("no answer in " + PROBE.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      throw new IOException("not reachable (" + e.getCause() + ")", e);
    } finally {
      if (!answer.isDone()) {
        answer.cancel(true);
      }
    }
  }

  private static MessageDigest sha512() {
    try {
      return MessageDigest.getInstance("SHA-512");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
