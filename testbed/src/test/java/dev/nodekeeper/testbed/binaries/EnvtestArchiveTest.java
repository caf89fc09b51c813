package dev.nodekeeper.testbed.binaries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The envtest archive is downloaded, checked and unpacked")
class EnvtestArchiveTest {

  private static final String ARCHIVE = "/envtest-v1.36.3/envtest-v1.36.3-linux-amd64.tar.gz";

  @TempDir Path folder;
  @TempDir Path scratch;
  @TempDir Path target;
  private final Map<String, byte[]> published = new HashMap<>();
  private final HttpServer server = server();

  private static HttpServer server() {
    try {
      return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @BeforeEach
  void serve() throws Exception {
    published.put(ARCHIVE, archive());
    server.createContext(
        "/",
        exchange -> {
          var body = published.get(exchange.getRequestURI().getPath());
          exchange.sendResponseHeaders(body == null ? 404 : 200, body == null ? -1 : body.length);
          if (body != null) {
            exchange.getResponseBody().write(body);
          }
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  @DisplayName("with the right checksum the wanted programs arrive, and only those")
  void good() throws Exception {
    var digest = MessageDigest.getInstance("SHA-512").digest(archive());
    publishChecksum(HexFormat.of().formatHex(digest) + "  envtest.tar.gz\n");
    fetch(Set.of(Tool.ETCD, Tool.KUBECTL));
    assertThat(target.resolve("etcd")).hasContent("program etcd");
    assertThat(target.resolve("kubectl")).hasContent("program kubectl");
    assertThat(target.resolve("kube-apiserver")).doesNotExist();
  }

  @Test
  @DisplayName("without a published checksum the archive is taken as it is")
  void unchecked() throws Exception {
    fetch(Set.of(Tool.ETCD));
    assertThat(target.resolve("etcd")).exists();
  }

  @Test
  @DisplayName("with a wrong checksum nothing is unpacked")
  void wrongChecksum() {
    publishChecksum("0123abcd  envtest.tar.gz");
    assertThatThrownBy(() -> fetch(Set.of(Tool.ETCD))).hasMessageContaining("checksum differs");
    assertThat(target).isEmptyDirectory();
  }

  @Test
  @DisplayName("a version that is not published says so")
  void notPublished() {
    published.clear();
    assertThatThrownBy(() -> fetch(Set.of(Tool.ETCD))).hasMessage("HTTP 404");
  }

  @Test
  @DisplayName("a host that does not answer is given up")
  void unreachable() {
    server.stop(0);
    assertThatThrownBy(() -> fetch(Set.of(Tool.ETCD))).hasMessageContaining("not reachable");
  }

  private void publishChecksum(String text) {
    published.put(ARCHIVE + ".sha512", text.getBytes(StandardCharsets.UTF_8));
  }

  private void fetch(Set<Tool> wanted) throws Exception {
    var base = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    new EnvtestArchive(
            base, new Platform("linux", "amd64"), System.getenv(), CommandRunner.system())
        .fetch(wanted, scratch, target, _ -> {});
  }

  private byte[] archive() throws Exception {
    var file = folder.resolve("made.tar.gz");
    if (Files.notExists(file)) {
      var inner = Files.createDirectories(folder.resolve("controller-tools/envtest"));
      for (var tool : List.of("etcd", "kube-apiserver", "kubectl")) {
        Files.writeString(inner.resolve(tool), "program " + tool);
      }
      CommandRunner.system()
          .run(List.of("tar", "-czf", file.toString(), "controller-tools"), folder, System.getenv())
          .require("tar");
    }
    return Files.readAllBytes(file);
  }
}
