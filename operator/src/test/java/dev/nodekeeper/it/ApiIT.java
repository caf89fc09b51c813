package dev.nodekeeper.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.nodekeeper.api.Api;
import dev.nodekeeper.api.Call;
import dev.nodekeeper.api.HttpApi;
import dev.nodekeeper.api.Lines;
import dev.nodekeeper.api.RefusedException;
import dev.nodekeeper.api.UnreachableException;
import dev.nodekeeper.config.Settings.ClusterSettings;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.SharedControlPlane;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The client of the API server")
final class ApiIT {
  private static final String QUIET = "/api/v1/namespaces/nobody/configmaps?watch=true";

  private static final String LIST = "/api/v1/namespaces?limit=1";

  private final ControlPlane plane = SharedControlPlane.get();
  @TempDir private Path folder;

  @Test
  @DisplayName("a watch that waits ends when another thread closes it")
  void closed() throws Exception {
    try (HttpApi api = connect(plane.adminKubeconfig())) {
      Lines lines = api.watch(QUIET);
      var reader = read(lines);

      lines.close();

      assertThat(reader.get(10, TimeUnit.SECONDS)).isInstanceOf(UnreachableException.class);
    }
  }

  @Test
  @DisplayName("a watch that waits ends with its client, and none begins after that")
  void clientClosed() throws Exception {
    HttpApi api = connect(plane.adminKubeconfig());
    var reader = read(api.watch(QUIET));

    api.close();

    assertThat(reader.get(10, TimeUnit.SECONDS)).isInstanceOf(UnreachableException.class);
    assertThatThrownBy(() -> api.watch(QUIET).next()).isInstanceOf(UnreachableException.class);
  }

  @Test
  @DisplayName("a watch ends in good order when its time is over")
  void over() throws Exception {
    try (HttpApi api = connect(plane.adminKubeconfig());
        Lines lines = api.watch(QUIET + "&timeoutSeconds=1")) {
      assertThat(lines.next()).isNull();
    }
  }

  @Test
  @DisplayName("a refused watch says why")
  void refused() throws Exception {
    try (HttpApi api = connect(plane.adminKubeconfig())) {
      assertThatThrownBy(() -> api.watch("/api/v1/nodes?watch=true&resourceVersion=x"))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("was refused: 500")
          .hasMessageContaining("resourceVersion");
    }
  }

  @Test
  @DisplayName("a server whose certificate we do not trust is not watched")
  void foreign() throws Exception {
    Path other = kubeconfig("certificate-authority-data: \\S+", "");

    try (HttpApi api = connect(other)) {
      assertThatThrownBy(() -> api.watch(QUIET))
          .isInstanceOf(UnreachableException.class)
          .hasMessageContaining("certification path");
    }
  }

  @Test
  @DisplayName("nor one whose certificate is for another name")
  void misnamed() throws Exception {
    try (Tunnel tunnel = tunnel()) {
      String elsewhere = "$1proxy-url: " + tunnel.uri() + "\n$1server: https://elsewhere.test:1";
      Path other = kubeconfig("( +)server: \\S+", elsewhere);

      try (HttpApi api = connect(other)) {
        assertThatThrownBy(() -> api.watch(QUIET))
            .isInstanceOf(UnreachableException.class)
            .hasMessageContaining("matching elsewhere.test");
        assertThat(tunnel.opened()).isEqualTo(1);
      }
    }
  }

  @Test
  @DisplayName("requests and watches go through the proxy of the kubeconfig")
  void proxied() throws Exception {
    try (Tunnel tunnel = tunnel()) {
      try (HttpApi api = through(tunnel)) {
        assertThat(api.send(Call.get("/version")).status()).isEqualTo(200);
        assertThat(tunnel.opened()).isEqualTo(1);
        try (Lines lines = api.watch(QUIET + "&timeoutSeconds=1")) {
          assertThat(lines.next()).isNull();
        }
        assertThat(tunnel.opened()).isEqualTo(2);
      }
    }
  }

  @Test
  @DisplayName("pages of a list come one after the other on one connection")
  void pages() throws Exception {
    try (Tunnel tunnel = tunnel();
        HttpApi api = through(tunnel)) {
      for (int page = 0; page < 3; page++) {
        try (Api.Asked asked = api.ask(Call.get(LIST))) {
          assertThat(asked.read(InputStream::readAllBytes)).isNotEmpty();
        }
      }
      assertThat(tunnel.opened()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("a page that nobody reads, or not to its end, ends its connection only")
  void halfPage() throws Exception {
    try (Tunnel tunnel = tunnel();
        HttpApi api = through(tunnel)) {
      api.ask(Call.get(LIST)).close();
      try (Api.Asked asked = api.ask(Call.get(LIST))) {
        assertThatThrownBy(() -> asked.read(ApiIT::unreadable)).hasMessage("unreadable");
      }
      try (Api.Asked asked = api.ask(Call.get("/api/v1/nodes/nobody"))) {
        assertThatThrownBy(() -> asked.read(InputStream::read))
            .isInstanceOf(RefusedException.class)
            .hasMessageContaining("404");
      }
      try (Api.Asked asked = api.ask(Call.get(LIST))) {
        assertThat(asked.read(InputStream::readAllBytes)).isNotEmpty();
      }
    }
  }

  @Test
  @DisplayName("a page that waits ends when another thread gives it up, or its client")
  void pageClosed() throws Exception {
    HttpApi api = connect(plane.adminKubeconfig());
    Api.Asked one = api.ask(Call.get(QUIET));
    Api.Asked other = api.ask(Call.get(QUIET));
    var first = waiting(() -> one.read(InputStream::read));
    var second = waiting(() -> other.read(InputStream::read));

    one.close();
    assertThat(first.get(10, TimeUnit.SECONDS)).isInstanceOf(UnreachableException.class);
    assertThat(second).isNotDone();

    api.close();
    assertThat(second.get(10, TimeUnit.SECONDS)).isInstanceOf(UnreachableException.class);
    assertThatThrownBy(() -> api.ask(Call.get(LIST)).read(InputStream::read))
        .isInstanceOf(UnreachableException.class);
  }

  private static byte[] unreadable(InputStream body) throws IOException {
    assertThat(body.read()).isPositive();
    throw new IOException("unreadable");
  }

  private HttpApi through(Tunnel tunnel) throws Exception {
    return connect(kubeconfig("( +)server:", "$1proxy-url: " + tunnel.uri() + "\n$1server:"));
  }

  private Tunnel tunnel() throws Exception {
    return Tunnel.to(plane.server());
  }

  /** The administrator's, changed. */
  private Path kubeconfig(String regex, String replacement) throws Exception {
    String text = Files.readString(plane.adminKubeconfig());
    return Files.writeString(folder.resolve("kubeconfig"), text.replaceFirst(regex, replacement));
  }

  private static HttpApi connect(Path kubeconfig) throws Exception {
    return HttpApi.connect(new ClusterSettings(kubeconfig.toString(), ""));
  }

  /** What a read ends with that waits already. */
  private static CompletableFuture<@Nullable Throwable> read(Lines lines) {
    return waiting(lines::next);
  }

  private static CompletableFuture<@Nullable Throwable> waiting(ThrowingCallable read) {
    var ended = new CompletableFuture<@Nullable Throwable>();
    Thread thread = Thread.ofPlatform().daemon().start(() -> ended.complete(catchThrowable(read)));
    await("a read that waits")
        .atMost(Duration.ofSeconds(10))
        .until(() -> inNative(thread) && !ended.isDone());
    return ended;
  }

  private static boolean inNative(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    return stack.length > 0 && stack[0].isNativeMethod();
  }
}
