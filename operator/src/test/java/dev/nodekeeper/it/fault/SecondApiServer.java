package dev.nodekeeper.it.fault;

import static org.awaitility.Awaitility.await;

import dev.nodekeeper.it.World;
import dev.nodekeeper.testbed.ControlPlane;
import dev.nodekeeper.testbed.KubeException;
import dev.nodekeeper.testbed.Part;
import dev.nodekeeper.testbed.Ports;
import dev.nodekeeper.testbed.fault.Link;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.util.List;

/** Another API server on the same etcd, whose way to it can freeze. */
final class SecondApiServer implements AutoCloseable {
  final Link etcd = Link.to(FaultPlane.get().etcd().address().getPort());
  final URI server;
  private final Process process;

  SecondApiServer(ControlPlane plane) throws IOException {
    int port = Ports.one();
    server = URI.create("https://127.0.0.1:" + port);
    List<String> command =
        FaultPlane.command(Part.APISERVER).stream().map(word -> ours(word, port)).toList();
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(new File("target", "second-apiserver.log"))
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    try (var client = plane.client(server, "admin", "system:masters")) {
      await("the second API server")
          .atMost(World.HANG)
          .ignoreException(KubeException.class)
          .until(() -> client.get("/readyz").ok());
    }
  }

  private String ours(String word, int port) {
    return switch (word.split("=", 2)[0]) {
      case "--etcd-servers" -> "--etcd-servers=http://127.0.0.1:" + etcd.port();
      case "--secure-port" -> "--secure-port=" + port;
      case "--audit-log-path" -> word + ".second";
      default -> word;
    };
  }

  @Override
  public void close() throws Exception {
    process.destroyForcibly().waitFor();
    etcd.close();
  }
}
